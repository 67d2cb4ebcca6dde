import Dispatch
import LifecycleSupport
import ReactiveLifecycle

/// The tasks of all process hosts: the process stops and ends as a whole.
///
/// They exist independently of the engine, which comes and goes with connections. No lock is held
/// while a handler runs or is released.
enum ProcessTasks {
  typealias Instant = ProcessTaskMachine.Instant
  typealias Handler = @MainActor @Sendable () -> Void

  private struct State {
    var machine = ProcessTaskMachine()
    var handlers: [Int: Handler] = [:]
  }

  private static let state = Locked(State())

  // MARK: For hosts

  static func begin(
    _ grant: ProcessTaskMachine.Grant,
    onExpiration: @escaping Handler
  ) -> Int? {
    let (id, isCounting) = state.withLock { state -> (Int?, Bool) in
      let id = state.machine.begin(grant, at: RunningTime.now)
      if let id { state.handlers[id] = onExpiration }
      return (id, state.machine.isCounting)
    }
    if id != nil, isCounting { ProcessThread.wake() }
    return id
  }

  static func end(_ id: Int) {
    let isCounting = state.withLockDiscarding { state in
      state.machine.end(id)
      return (state.machine.isCounting, state.handlers.removeValue(forKey: id))
    }
    if isCounting { ProcessThread.wake() }
  }

  static func remainingTime(of grant: ProcessTaskMachine.Grant) -> Duration {
    state.withLock { $0.machine.remainingTime(of: grant, at: RunningTime.now) }
  }

  static var longestDelayOfEnd: Duration? {
    state.withLock { $0.machine.longestDelayOfEnd(at: RunningTime.now) }
  }

  // MARK: For the engine

  static func startGrace(of occasion: ProcessTaskMachine.Occasion) {
    state.withLock { $0.machine.startGrace(of: occasion, at: RunningTime.now) }
  }

  static func endGrace() {
    state.withLock { $0.machine.endGrace() }
  }

  static var hasDelayedEnd: Bool { state.withLock { $0.machine.hasDelayedEnd } }

  /// Calls the handlers of the tasks whose time is up.
  static func expire() {
    let expired = state.withLock { $0.machine.expire(at: RunningTime.now) }
    guard !expired.isEmpty else { return }
    DispatchQueue.main.async { run(expired) }
  }

  static func finish(waitingSince wait: Instant) -> Bool {
    state.withLock { $0.machine.finish(at: RunningTime.now, waitingSince: wait) }
  }

  static func nextDeadline(waitingSince wait: Instant?) -> Instant? {
    state.withLock { $0.machine.nextDeadline(waitingSince: wait) }
  }

  @MainActor private static func run(_ expired: [Int]) {
    for id in expired {
      let handler = state.withLock { state in
        state.machine.beginHandler(of: id) ? state.handlers.removeValue(forKey: id) : nil
      }
      guard let handler else { continue }
      handler()
      state.withLock { $0.machine.finishHandler(of: id) }
    }
    ProcessThread.wake()
  }
}
