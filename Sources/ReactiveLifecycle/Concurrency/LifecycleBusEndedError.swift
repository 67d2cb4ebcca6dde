/// Thrown by a call that waits for a phase when the bus ends first, or has ended: the process
/// terminates, or the bus was released.
///
/// ```swift
/// do {
///   try await bus.reach(.active)
/// } catch let error as LifecycleBusEndedError {
///   print(error)
/// }
/// ```
public struct LifecycleBusEndedError: Error, Sendable, Hashable {
  let condition: PhaseCondition

  init(_ condition: PhaseCondition) {
    self.condition = condition
  }
}

extension LifecycleBusEndedError: CustomStringConvertible {
  /// What was waited for, and what to do.
  public var description: String {
    let awaited =
      switch condition {
      case .atLeast(let phase): "at least \(phase)"
      case .atMost(let phase): "at most \(phase)"
      }
    return """
      The lifecycle bus ended before its phase was \(awaited). It delivers nothing any more: catch \
      this error to stop what depends on that phase, or, if the process goes on, keep a reference \
      to the bus for as long as somebody waits.
      """
  }
}
