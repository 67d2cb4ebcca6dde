import LifecycleSupport
import ReactiveLifecycle

/// What a manual clock and its scheduler share: the machine, under its lock. Any thread.
///
/// It is not the clock itself, so that work that waits, and holds the scheduler, does not hold the clock.
final class ManualClockCore: Sendable {
  enum Work: Sendable {
    case timer(@Sendable () -> Void)
    case sleeper(Suspension)
    case job(UnownedJob)
  }

  typealias Machine = ManualClockMachine<Work>

  private struct State {
    var machine: Machine
    var sleepers = SleeperCount<Suspension>()
    /// How many times all that was scheduled was dropped.
    var drops = 0
    /// Whether the clock was released: nobody can move it any more.
    var isReleased = false
  }

  private let state: Locked<State>

  init(now: LifecycleInstant) {
    state = Locked(State(machine: ManualClockMachine(now: now)))
  }

  func withMachine<Value: Sendable>(_ body: (inout Machine) -> Value) -> Value {
    state.withLock { body(&$0.machine) }
  }

  var now: LifecycleInstant { withMachine { $0.now } }
  var timerCount: Int { state.withLock { $0.machine.scheduledCount - $0.sleepers.count } }
  var drops: Int { state.withLock { $0.drops } }

  // MARK: Work

  /// Schedules a call, unless the clock was released, or what is repeated was dropped.
  ///
  /// - Parameter drops: What ``drops`` said when the repetition began; nil for a single call.
  /// - Returns: The number to cancel with.
  func schedule(
    ifStill drops: Int? = nil,
    at deadline: ContinuousInstant,
    _ body: @escaping @Sendable () -> Void
  ) -> Int? {
    state.withLock { state in
      guard !state.isReleased, (drops ?? state.drops) == state.drops else { return nil }
      return state.machine.schedule(at: deadline, .timer(body))
    }
  }

  func enqueue(_ job: UnownedJob) {
    state.withLock { $0.machine.enqueue(.job(job)) }
  }

  /// - Returns: The number to cancel with; nil if the deadline has passed.
  func sleep(until deadline: ContinuousInstant, _ sleeper: Suspension) -> Int? {
    let (id, waiters) = state.withLock { state -> (Int?, [Suspension]) in
      guard deadline > state.machine.now.continuous else { return (nil, []) }
      return (state.machine.schedule(at: deadline, .sleeper(sleeper)), state.sleepers.add())
    }
    for waiter in waiters { waiter.end() }
    return id
  }

  /// - Returns: The number to cancel with; nil if as many are asleep.
  func wait(forSleepers count: Int, _ waiter: Suspension) -> Int? {
    state.withLock { $0.sleepers.wait(for: count, waiter) }
  }

  func cancelWait(_ id: Int) {
    state.withLock { $0.sleepers.cancel(id) }
  }

  /// What is returned was never called, and must be released outside the lock.
  func cancel(_ id: Int) -> Work? {
    take { $0.cancel(id) }
  }

  // MARK: Moves

  /// Moves the clocks up to the next work that is due.
  func take(_ move: (inout Machine) -> Work?) -> Work? {
    state.withLock { state in
      let work = move(&state.machine)
      if case .sleeper = work { state.sleepers.remove() }
      return work
    }
  }

  /// Drops all timers uncalled, and throws `CancellationError` into the tasks that sleep.
  ///
  /// - Returns: All of them, to be released outside the lock.
  func drop(_ move: (inout Machine) -> [Work] = { $0.cancelAll() }) -> [Work] {
    let dropped = state.withLock { state in
      let dropped = move(&state.machine)
      for case .sleeper in dropped { state.sleepers.remove() }
      state.drops += 1
      return dropped
    }
    for case .sleeper(let sleeper) in dropped { sleeper.cancel() }
    return dropped
  }

  /// Drops all timers, and those that are still to come: the clock is released.
  func end() {
    state.withLock { $0.isReleased = true }
    _ = drop()
  }
}
