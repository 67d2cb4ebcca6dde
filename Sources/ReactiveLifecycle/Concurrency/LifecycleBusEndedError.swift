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
    The lifecycle bus ended before its phase was \(condition). It delivers no more events: catch \
    this error to stop what depends on that phase, or, if the process continues, keep a reference \
    to the bus while a task waits.
    """
  }
}
