import LifecycleSupport
import ReactiveLifecycle

/// The implementation of a `DeferredWorkQueue`, for the bus and for its wakes, which do not keep
/// the queue alive.
final class DeferredWorkCore: BusListener {
  private struct State {
    var machine = DeferredWorkMachine()
    /// The instant at which the process was launched; nil if it is not known to have been in the
    /// background.
    var launch: ContinuousInstant?
    /// The waiting and running jobs, by the numbers of their entries.
    var jobs: [Int: DeferredWorkQueue.Job] = [:]
    /// The task that runs the wake under way.
    var runner: Task<Void, Never>?
    var waiters: [Int: [AsyncStream<Never>.Continuation]] = [:]
  }

  /// The longest time between the launch and the foreground if the user opens the process. UIKit's
  /// scenes, for example, appear some time after the launch.
  private static let launchTime = Duration.seconds(5)

  private let tasks: BackgroundTaskCoordinator
  private let clock: any LifecycleClock
  private let executor: (any TaskExecutor)?
  private let onResult: @Sendable (DeferredWorkQueue.JobReport) -> Void
  private let site: CallSite
  /// The instant of the bus's first phase; nil before the launch.
  private let firstPhase: ContinuousInstant?
  private let state = Locked(State())

  init(
    of bus: LifecycleBusCore,
    _ tasks: BackgroundTaskCoordinator,
    _ executor: (any TaskExecutor)?,
    _ onResult: @escaping @Sendable (DeferredWorkQueue.JobReport) -> Void,
    _ site: CallSite
  ) {
    self.tasks = tasks
    clock = bus.clock
    firstPhase = bus.launch
    self.executor = executor
    self.onResult = onResult
    self.site = site
  }

  // MARK: The bus

  func join(at delivered: DeliveredState) {
    guard delivered.phase == .background else { return }
    noteLaunch(at: firstPhase ?? delivered.instant.continuous)
  }

  func hear(_ event: LifecycleEvent) {
    if event.kind == .didFinishLaunching { return noteLaunch(at: event.instant.continuous) }
    guard event.kind != .willEnterForeground || isReturn(event) else { return }
    let wake = state.withLock { $0.machine.wake(for: .event) }
    if let wake, wake.begins { begin(wake.number) }
  }

  private func noteLaunch(at instant: ContinuousInstant) {
    state.withLock { $0.launch = instant }
  }

  /// Returns whether the process was in the background before it entered the foreground. The first
  /// foreground after launch has no stay.
  private func isReturn(_ event: LifecycleEvent) -> Bool {
    guard event.backgroundStay == nil else { return true }
    guard let launch = state.withLock({ $0.launch }) else { return false }
    return event.instant.continuous - launch >= Self.launchTime
  }

  func busDidEnd() { end() }

  /// Discards all jobs, and cancels the running one.
  func end() {
    let runner = state.withLockDiscarding { state in
      state.machine.end()
      defer { state.jobs = [:] }
      return (state.runner, state.jobs)
    }
    runner?.cancel()
  }

  // MARK: Jobs

  var pendingJobs: [String] { state.withLock { $0.machine.pending.map(\.id) } }

  func enqueue(_ id: String, _ job: @escaping DeferredWorkQueue.Job) {
    state.discard { state in
      let (number, replaced) = state.machine.enqueue(id)
      if let number { state.jobs[number] = job }
      return replaced.flatMap { state.jobs.removeValue(forKey: $0) }
    }
  }

  func remove(_ id: String) -> Bool {
    state.withLockDiscarding { state in
      let (isFound, number) = state.machine.remove(id)
      return (isFound, number.flatMap { state.jobs.removeValue(forKey: $0) })
    }
  }

  // MARK: Wakes

  func runJobs() async {
    let (stream, waiter) = AsyncStream.makeStream(of: Never.self)
    let wake = state.withLock { state in
      let wake = state.machine.wake(for: .waiter)
      if let wake { state.waiters[wake.number, default: []].append(waiter) }
      return wake
    }
    guard let wake else { return }
    if wake.begins { begin(wake.number) }
    await withTaskCancellationHandler {
      // The loop also ends when the task is cancelled.
      for await _ in stream {}
    } onCancel: {
      let runner = state.withLock { state in
        state.machine.withdraw(from: wake.number) ? state.runner : nil
      }
      runner?.cancel()
    }
  }

  private func begin(_ number: Int) {
    let task = tasks.beginTask(
      named: "deferred work",
      onExpiration: { [weak self] in self?.stop(number) },
      fileID: site.fileID,
      filePath: site.filePath,
      line: site.line,
      column: site.column
    )
    // The wake can't end before its runner is started.
    let (start, gate) = AsyncStream.makeStream(of: Never.self)
    let runner = Task(executorPreference: executor) { [self] in
      for await _ in start {}
      await run(number)
      task.end()
      finish(number)
    }
    // A wake that was stopped earlier runs no job.
    state.withLock { $0.runner = runner }
    gate.finish()
  }

  private func stop(_ number: Int) {
    let runner = state.withLock { $0.machine.stop(number) ? $0.runner : nil }
    runner?.cancel()
  }

  private func run(_ wake: Int) async {
    while let (entry, job) = nextJob() {
      let start = clock.continuous
      var failure: (any Error)?
      do {
        try await job?()
      } catch {
        failure = error
      }
      let isStopped = state.withLockDiscarding { state in
        let isStopped = state.machine.isStopped
        let number = state.machine.didReturn(unfinished: failure != nil && isStopped)
        return (isStopped, number.flatMap { state.jobs.removeValue(forKey: $0) })
      }
      let outcome: DeferredWorkQueue.JobResult =
        failure.map { isStopped ? .interrupted : .failed($0) } ?? .finished
      onResult(
        DeferredWorkQueue.JobReport(
          id: entry.id,
          outcome: outcome,
          duration: max(clock.continuous - start, .zero)
        )
      )
    }
  }

  private func nextJob() -> (DeferredWorkMachine.Entry, DeferredWorkQueue.Job?)? {
    state.withLock { state in
      state.machine.next().map { ($0, state.jobs[$0.number]) }
    }
  }

  /// Ends the wake, after its jobs and its background task have ended.
  private func finish(_ wake: Int) {
    let (next, waiters) = state.withLock { state in
      state.runner = nil
      let next = state.machine.finish()
      // Callers that wait for a wake that never begins are done as well.
      let last = next == nil ? Int.max : wake
      let done = state.waiters.keys.filter { $0 <= last }
      return (next, done.flatMap { state.waiters.removeValue(forKey: $0) ?? [] })
    }
    for waiter in waiters { waiter.finish() }
    if let next { begin(next) }
  }
}
