/// Where instants and timers come from: the system's clocks, or a manual clock in tests.
public protocol LifecycleClock: Sendable {
  /// This moment. Called on any thread; never while a lock of the bus is held.
  var now: LifecycleInstant { get }

  /// This moment on the continuous clock alone: that of ``now``, for the price of one clock. Called
  /// on any thread, for each registration.
  var continuous: ContinuousInstant { get }

  /// Which run of the machine the readings belong to; nil if that is not known, and then they can't be
  /// compared with readings of another process. Called on any thread.
  var bootID: BootID? { get }

  /// Has `body` called once, when the continuous clock shows the deadline or more.
  ///
  /// `schedule` itself never calls `body`, though another thread may before `schedule` has returned. A
  /// deadline that has passed is due at once.
  ///
  /// ```swift
  /// let timer = clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }
  /// ```
  ///
  /// Called on any thread; never while a lock of the bus is held.
  ///
  /// - Parameters:
  ///   - deadline: The earliest instant of the call.
  ///   - body: Called on any thread, without a lock of the clock.
  /// - Returns: The timer, which cancels when it is released.
  func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
    -> LifecycleCancellable
}

extension LifecycleClock {
  /// That of ``now``.
  public var continuous: ContinuousInstant { now.continuous }

  /// Not known.
  public var bootID: BootID? { nil }
}

extension LifecycleClock where Self == SystemLifecycleClock {
  /// The clocks of the operating system.
  public static var system: SystemLifecycleClock { SystemLifecycleClock() }
}
