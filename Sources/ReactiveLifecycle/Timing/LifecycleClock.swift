/// Where instants come from: the system's clocks, or a manual clock in tests.
public protocol LifecycleClock: Sendable {
  /// This moment. Called on any thread; never while a lock of the bus is held.
  var now: LifecycleInstant { get }

  /// This moment on the continuous clock alone: what ``now`` says, for the price of one clock. Called
  /// on any thread, for each registration.
  var continuous: Duration { get }
}

extension LifecycleClock {
  /// What ``now`` says.
  public var continuous: Duration { now.continuous }
}

extension LifecycleClock where Self == SystemLifecycleClock {
  /// The clocks of the operating system.
  public static var system: SystemLifecycleClock { SystemLifecycleClock() }
}
