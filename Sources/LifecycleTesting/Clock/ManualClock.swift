public import ReactiveLifecycle

/// Three clocks that stand still until a test moves them, and the timers that depend on them.
///
/// ```swift
/// let clock = ManualClock()
/// let bus = LifecycleBus(clock: clock)
/// bus.send(.didEnterBackground)
/// clock.advance(by: .seconds(30))
/// clock.sleepDevice(for: .seconds(60))
/// bus.send(.didBecomeActive)  // a stay of 90 s, 60 s of them asleep
/// ```
///
/// A call that moves the clock calls the timers that become due one after another, in the order of
/// their deadlines; timers with equal deadlines are called in the order of scheduling. Timers that
/// a timer schedules are included.
///
/// ```swift
/// clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }.store(in: scope)
/// clock.advance(by: .seconds(4))
/// clock.advance(by: .seconds(1))  // "five seconds"
/// ```
///
/// Work that runs inside the move sees the time at which it is due; work that continues elsewhere
/// may not:
///
/// | work | runs | sees the right time |
/// | --- | --- | --- |
/// | timers, actions of ``scheduler`` | inside the move | always |
/// | `Task(executorPreference: clock)` | inside the move | always, unless it leaves the clock |
/// | other tasks that sleep | elsewhere, once woken | with ``waitForSleepers(_:)`` before moves |
///
/// A task leaves the clock while it runs on the main actor, or on an actor that had to finish other
/// work first, and while it awaits the work of another clock. A `Task { … }` that it creates does
/// not run on the clock.
///
/// Several threads may move one clock: it then moves by the sum, never back, and each timer is
/// called once, by one of them. The choice of the thread, and the order across threads, are not
/// guaranteed. A timer may move the clock, too. When the clock is released, scheduled work is
/// dropped.
public final class ManualClock: LifecycleClock {
  let core: ManualClockCore
  private let firstBoot: BootID?

  /// Creates clocks that show the given instant.
  ///
  /// - Parameters:
  ///   - instant: The readings to start with; by default an hour after boot, a minute of it asleep,
  ///     early in 2026.
  ///   - bootID: The identity of the boot. Two clocks with different identities stand for the time
  ///     before and after a restart of the machine; pass nil for a machine that can't identify its
  ///     boots.
  public init(
    _ instant: LifecycleInstant = LifecycleInstant(
      continuous: .boot + .seconds(3600),
      timeAwake: .seconds(3540),
      timeSince1970: .seconds(1_767_225_600)
    ),
    bootID: BootID? = BootID(rawValue: "manual")
  ) {
    firstBoot = bootID
    core = ManualClockCore(now: instant)
  }

  deinit {
    core.end()
  }

  public var now: LifecycleInstant { core.now }

  /// The identity of the boot, which changes with each restart: `manual`, `manual-2`, …; nil stays
  /// nil.
  public var bootID: BootID? {
    let restarts = core.withMachine { $0.restarts }
    return firstBoot.map { boot in
      restarts == 0 ? boot : BootID(rawValue: "\(boot.rawValue)-\(restarts + 1)")
    }
  }

  /// The number of timers that are still to be called.
  package var timerCount: Int { core.timerCount }

  /// The time that has passed since the clock was created, independent of changes to its readings.
  package var elapsed: Duration { core.withMachine { $0.elapsed } }

  /// Calls `body` once, when the clock is moved to the deadline or further. Thread-safe.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the timer is due. If it has passed, the timer is due at the
  ///     next move, even one by zero.
  ///   - body: Called on the thread that moves the clock, before the move returns.
  /// - Returns: The timer, which cancels when it is released.
  public func schedule(
    at deadline: ContinuousInstant,
    _ body: @escaping @Sendable () -> Void
  ) -> LifecycleCancellable {
    let id = core.schedule(at: deadline, body)
    return LifecycleCancellable { [core] in _ = id.flatMap(core.cancel) }
  }
}
