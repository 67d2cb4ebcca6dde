/// The error that a call that waits for a phase throws if the bus ends first, or has ended.
///
/// A bus ends when the process terminates, or when the bus is released.
///
/// ```swift
/// do {
///   try await bus.waitUntil(.atLeast(.active))
/// } catch let error as LifecycleBusEndedError {
///   print(error)
/// }
/// ```
public struct LifecycleBusEndedError: Error, Sendable, Hashable {
  let condition: LifecyclePhase.Condition

  init(_ condition: LifecyclePhase.Condition) {
    self.condition = condition
  }
}

extension LifecycleBusEndedError: CustomStringConvertible {
  /// The condition that was not met, and what to do.
  public var description: String {
    """
    The lifecycle bus ended before its phase was \(condition), and it delivers no more events. \
    Catch this error to stop work that depends on the phase. If the process continues, keep a \
    reference to the bus while a task waits.
    """
  }
}
