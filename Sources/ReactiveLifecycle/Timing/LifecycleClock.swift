/// A source of instants and timers: the system's clocks, or a manual clock in tests.
public protocol LifecycleClock: Sendable {
  /// The current instant. Called on any thread; never while a lock of the bus is held.
  var now: LifecycleInstant { get }

  /// The current instant of the continuous clock alone: that of ``now``, at the cost of reading one
  /// clock. Called on any thread, for each registration.
  var continuous: ContinuousInstant { get }

  /// The identity of the boot that the readings belong to; nil if it is not known. Called on any
  /// thread.
  ///
  /// Without an identity, the readings can't be compared with those of another process.
  var bootID: BootID? { get }

  /// Calls `body` once, when the continuous clock reaches `deadline`.
  ///
  /// `schedule` itself never calls `body`, although another thread may do so before `schedule` has
  /// returned. A deadline that has passed is due at once.
  ///
  /// ```swift
  /// clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }.store(in: scope)
  /// ```
  ///
  /// Called on any thread; never while a lock of the bus is held.
  ///
  /// - Parameters:
  ///   - deadline: The earliest instant of the call.
  ///   - body: Called on any thread, without a lock of the clock.
  /// - Returns: The timer, which is cancelled when it is released.
  func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
    -> LifecycleCancellable
}

extension LifecycleClock {
  /// The continuous reading of ``now``.
  public var continuous: ContinuousInstant { now.continuous }

  /// The default identity: nil, because it is not known.
  public var bootID: BootID? { nil }
}

extension LifecycleClock where Self == SystemLifecycleClock {
  /// The clocks of the operating system.
  public static var system: SystemLifecycleClock { SystemLifecycleClock() }
}
