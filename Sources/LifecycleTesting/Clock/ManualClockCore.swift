import LifecycleCore
import LifecycleSupport

/// The part that a manual clock and its scheduler share: the machine, protected by its lock.
/// Thread-safe.
///
/// The core is separate from the clock, so that pending work, which holds the scheduler, does not
/// hold the clock.
final class ManualClockCore: Sendable {
  enum Work: Sendable {
    case timer(@Sendable () -> Void)
    case sleeper(Sleeper)
    case job(UnownedJob)
  }

  /// A task that sleeps on the clock.
  struct Sleeper: Sendable {
    let suspension = Suspension()
    /// The identity of the task, as long as it sleeps.
    let task = withUnsafeCurrentTask { $0.hashValue }
    /// The actor on which the task continues; nil if none.
    let actor: (any Actor)?
  }

  typealias Machine = ManualClockMachine<Work>

  private struct State {
    var machine: Machine
    var sleepers = SleeperCount<Suspension>()
    /// The number of times that all scheduled work was dropped.
    var drops = 0
    /// The number of times that work was taken.
    var callCount = 0
    /// The tasks that a move woke off the main actor, until they sleep again; nil if no move awaits
    /// them.
    var awake: [Int: Sleeper]?
    /// A Boolean value that indicates whether the clock was released and can no longer be moved.
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
  var callCount: Int { state.withLock { $0.callCount } }

  // MARK: Work

  /// Schedules a call, unless the clock was released, or the repetition was dropped.
  ///
  /// - Parameter drops: The value of ``drops`` when the repetition began; nil for a single call.
  /// - Returns: The number to cancel the call with.
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
  func sleep(until deadline: ContinuousInstant, _ sleeper: Sleeper) -> Int? {
    let (id, waiters, _) = state.withLock { state -> (Int?, [Suspension], Sleeper?) in
      guard deadline > state.machine.now.continuous else { return (nil, [], nil) }
      let id = state.machine.schedule(at: deadline, .sleeper(sleeper))
      return (id, state.sleepers.add(), state.awake?.removeValue(forKey: sleeper.task))
    }
    for waiter in waiters { waiter.end() }
    return id
  }

  /// Forgets the tasks that were woken off the main actor.
  ///
  /// - Parameter isNoting: Whether to note such tasks from now on; nil for no change.
  func forgetWoken(noting isNoting: Bool? = nil) {
    state.discard { state in
      defer { state.awake = isNoting ?? (state.awake != nil) ? [:] : nil }
      return state.awake
    }
  }

  /// The tasks that were woken off the main actor and do not sleep yet.
  var awake: [Sleeper] { state.withLock { Array(($0.awake ?? [:]).values) } }

  /// - Returns: The number to cancel with; nil if enough tasks are asleep.
  func wait(forSleepers count: Int, _ waiter: Suspension) -> Int? {
    state.withLock { $0.sleepers.wait(for: count, waiter) }
  }

  func cancelWait(_ id: Int) {
    state.withLock { $0.sleepers.cancel(id) }
  }

  /// Cancels scheduled work.
  ///
  /// - Returns: The work, which was never called and must be released outside the lock.
  func cancel(_ id: Int) -> Work? {
    take { $0.cancel(id) }
  }

  // MARK: Moves

  /// Moves the clocks up to the next work that is due.
  func take(_ move: (inout Machine) -> Work?) -> Work? {
    state.withLock { state in
      let work = move(&state.machine)
      if work != nil { state.callCount += 1 }
      if case .sleeper(let sleeper) = work {
        state.sleepers.remove()
        if sleeper.actor !== MainActor.shared { state.awake?[sleeper.task] = sleeper }
      }
      return work
    }
  }

  /// Drops all timers uncalled and throws `CancellationError` into the sleeping tasks.
  ///
  /// - Returns: The dropped work, to be released outside the lock.
  func drop(_ move: (inout Machine) -> [Work] = { $0.cancelAll() }) -> [Work] {
    let dropped = state.withLock { state in
      let dropped = move(&state.machine)
      for case .sleeper in dropped { state.sleepers.remove() }
      state.drops += 1
      return dropped
    }
    for case .sleeper(let sleeper) in dropped { sleeper.suspension.cancel() }
    return dropped
  }

  /// Drops all timers, present and future, because the clock is released.
  func end() {
    state.withLock { $0.isReleased = true }
    _ = drop()
  }
}

/// A wait of one task, which is ended once, by others, at any time, even before the task waits.
/// Thread-safe.
final class Suspension: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Void, any Error>)
    case ended(Result<Void, any Error>)
  }

  private let state = Locked(State.open)

  /// Suspends the task until the first call of ``end(_:)``. Call this method only once.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor, which a closure leaves unless it captures it.
  ///   - onCancel: Called when the task is cancelled, or immediately if it already was; ends the
  ///     suspension.
  func wait(
    isolation: isolated (any Actor)? = #isolation,
    onCancel: @escaping @Sendable () -> Void
  ) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if case .ended(let result) = state { return result }
          state = .waiting(continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      onCancel()
    }
  }

  /// Resumes the task, or throws into it. Has no effect if the suspension has already ended.
  func end(_ result: Result<Void, any Error> = .success(())) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      switch state {
      case .open:
        state = .ended(result)
        return nil
      case .waiting(let continuation):
        state = .ended(result)
        return continuation
      case .ended:
        return nil
      }
    }
    continuation?.resume(with: result)
  }

  /// Throws `CancellationError` into the task.
  func cancel() {
    end(.failure(CancellationError()))
  }
}
