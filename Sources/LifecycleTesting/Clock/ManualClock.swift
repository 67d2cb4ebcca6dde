public import ReactiveLifecycle

/// Three clocks that stand still until a test moves them, and timers that go by them.
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
/// Whoever moves the clock calls the timers that become due, one after the other, in order of their
/// deadlines; those with equal deadlines in order of scheduling. What a timer schedules takes part.
///
/// ```swift
/// let timer = clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }
/// clock.advance(by: .seconds(4))
/// clock.advance(by: .seconds(1))  // "five seconds"
/// ```
///
/// What runs inside the move sees the time at which it is due; what goes on elsewhere may not:
///
/// | work | runs | sees the right time |
/// | --- | --- | --- |
/// | timers, actions of ``scheduler`` | inside the move | always |
/// | `Task(executorPreference: clock)` | inside the move | always, unless it leaves the clock |
/// | other tasks that sleep | elsewhere, once woken | with ``waitForSleepers(_:)`` before moves |
///
/// A task leaves the clock while it runs on the main actor, or on an actor that had to finish other
/// work first, and while it awaits what another clock does. A `Task { … }` that it makes is not on it.
///
/// Several threads may move one clock: it then moves by the sum, never back, and each timer is called
/// once, by one of them; which, and in which order across the threads, is not promised. A timer may
/// move the clock, too. When the clock is released, what was scheduled is dropped.
public final class ManualClock: LifecycleClock {
  let core: ManualClockCore
  private let firstBoot: BootID?

  /// Clocks that show the given instant.
  ///
  /// - Parameters:
  ///   - instant: By default an hour after boot, a minute of it asleep, early in 2026.
  ///   - bootID: Which boot that is. Two clocks with different identities stand for the time before and
  ///     after a restart of the machine; nil for a machine that can't tell.
  public init(
    _ instant: LifecycleInstant = LifecycleInstant(
      continuous: .boot + .seconds(3600),
      timeAwake: .seconds(3540),
      timeSince1970: .seconds(1_767_225_600)
    ),
    bootID boot: BootID? = BootID(rawValue: "manual")
  ) {
    firstBoot = boot
    core = ManualClockCore(now: instant)
  }

  deinit {
    core.end()
  }

  public var now: LifecycleInstant { core.now }

  /// Another identity after each restart: `manual`, `manual-2`, …; nil stays nil.
  public var bootID: BootID? {
    let restarts = core.withMachine { $0.restarts }
    return firstBoot.map { boot in
      restarts == 0 ? boot : BootID(rawValue: "\(boot.rawValue)-\(restarts + 1)")
    }
  }

  /// How many timers are still to be called.
  package var timerCount: Int { core.timerCount }

  /// All the time that has passed since the clock was made, whatever became of its readings.
  package var elapsed: Duration { core.withMachine { $0.elapsed } }

  /// Has `body` called once, when the clock is moved to the deadline or further. Any thread.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which it is due. One that has passed is due at the next move, one
  ///     by nothing included.
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
