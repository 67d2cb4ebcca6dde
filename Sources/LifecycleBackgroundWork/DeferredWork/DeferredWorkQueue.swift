public import LifecycleCore
import LifecycleSupport

/// A queue of jobs that run the next time that the process runs in the background anyway, or
/// returns to the foreground.
///
/// ```swift
/// deferred = DeferredWorkQueue(of: bus, tasks: tasks) { report in log(report) }
/// deferred.enqueue("thumbnails") { try await makeThumbnails() }
/// ```
///
/// A *wake* runs all jobs that are waiting when it begins, one after the other, in the order in
/// which they were enqueued, inside one background task. A wake begins with:
///
/// - the return to the foreground after a stay in the background, and the first foreground after a
///   launch in the background: one that comes five seconds after the launch, or later;
/// - `systemDidWake`;
/// - ``runJobs()``, for instance in the handler of a background fetch.
///
/// A request for a wake during another one joins it, and so do the jobs that are waiting by then:
/// no job runs twice, and a job that is enqueued later waits for the next request. If the wake
/// under way has been stopped but has not ended yet, another wake follows it.
///
/// When time is up, the running job is cancelled on the main actor: its cancellation handlers have
/// run before the process may be suspended. Jobs that have not begun are kept for the next wake. A
/// job that throws any error after it was cancelled is kept behind them; a job that returns anyway
/// is finished. A job that throws without being cancelled is finished, too, and its report contains
/// the error.
///
/// At the end of the bus, and when the queue is released, the running job is cancelled, and all
/// others are discarded. The background task ends when that job has returned. The queue holds a job
/// until it is finished, so a job that refers to its queue keeps it alive until then.
///
/// Thread-safe.
public final class DeferredWorkQueue: Sendable {
  typealias Job = @Sendable () async throws -> Void

  private let core: DeferredWorkCore
  private let row: ListenerRow

  /// Creates a queue without jobs.
  ///
  /// - Parameters:
  ///   - bus: The bus whose events begin wakes, and whose clock measures durations.
  ///   - tasks: The coordinator that keeps the process running during wakes.
  ///   - onReport: Called on the global executor for each run of a job, before the next one begins.
  public convenience init(
    of bus: some LifecycleBusProtocol,
    tasks: BackgroundTaskCoordinator,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    onReport: @escaping @Sendable (JobReport) -> Void = { _ in }
  ) {
    let site = CallSite(fileID, filePath, line, column)
    self.init(bus.core, tasks, .pool, site, onReport)
  }

  /// Creates a queue.
  ///
  /// - Parameter starter: Starts the task that runs the jobs.
  package init(
    _ bus: LifecycleBusCore,
    _ tasks: BackgroundTaskCoordinator,
    _ starter: TaskStarter,
    _ site: CallSite,
    _ onReport: @escaping @Sendable (JobReport) -> Void
  ) {
    core = DeferredWorkCore(of: bus, tasks, starter, onReport)
    row = ListenerRow(
      core: bus,
      kinds: [.didFinishLaunching, .willEnterForeground, .systemDidWake],
      site: site,
      listener: core
    )
    bus.listen(row)
    if bus.hasEnded { core.end() }
  }

  deinit {
    row.cancel()
    core.end()
  }

  /// Adds a job for the next wake.
  ///
  /// A waiting job with the same identifier is replaced: the new one takes its place. A job of the
  /// wake under way that has not begun is replaced as well, but the new one then waits for the next
  /// request for a wake, behind the others. A running job continues; it is not kept if it does not
  /// finish. Has no effect after the end of the bus.
  ///
  /// - Parameters:
  ///   - id: The identifier, which distinguishes the job from others, and appears in reports.
  ///   - job: The work to do. It runs on the global executor, or on the actor that the closure is
  ///     isolated to, and should respond to cancellation. It may run again if it was cancelled and
  ///     did not finish.
  public func enqueue(_ id: String, _ job: @escaping @Sendable () async throws -> Void) {
    core.enqueue(id, job)
  }

  /// The identifiers of the jobs that have not begun, in the order in which they will run.
  package var pendingJobs: [String] { core.pendingJobs }

  /// Runs the waiting jobs, behind those of a wake that is under way.
  ///
  /// ```swift
  /// await deferred.runJobs()
  /// ```
  ///
  /// Returns when the jobs of the wake have ended, finished or not, and at once if there are none.
  /// When its task is cancelled, it returns at once, and the wake is stopped as if time were up,
  /// unless an event or another caller has requested it, too. A job that awaits it waits for
  /// itself.
  public func runJobs() async {
    await core.runJobs()
  }
}

extension DeferredWorkQueue {
  /// The result of a job.
  public enum JobResult: Sendable {
    /// The job returned.
    case finished
    /// The job threw this error without being cancelled. It is not kept.
    case failed(any Error)
    /// The job was cancelled, and threw an error. It is kept for the next wake, unless a job with
    /// the same identifier was enqueued in the meantime.
    case interrupted
  }

  /// The result of a job in a wake, and its duration.
  public struct JobReport: Sendable {
    /// The identifier of the job.
    public let id: String
    /// The result of the job.
    public let result: JobResult
    /// The duration of the run, measured on the continuous clock of the bus.
    public let duration: Duration
  }
}

/// The implementation of a `DeferredWorkQueue`, for the bus and for its wakes, which do not keep
/// the queue alive.
private final class DeferredWorkCore: BusListener {
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
  private let starter: TaskStarter
  private let onReport: @Sendable (DeferredWorkQueue.JobReport) -> Void
  /// The instant of the bus's first phase; nil before the launch.
  private let firstPhase: ContinuousInstant?
  private let state = Locked(State())

  init(
    of bus: LifecycleBusCore,
    _ tasks: BackgroundTaskCoordinator,
    _ starter: TaskStarter,
    _ onReport: @escaping @Sendable (DeferredWorkQueue.JobReport) -> Void
  ) {
    self.tasks = tasks
    clock = bus.clock
    firstPhase = bus.launch
    self.starter = starter
    self.onReport = onReport
  }

  // MARK: The bus

  func join(at delivered: DeliveredState) {
    guard delivered.phase == .background else { return }
    noteLaunch(at: firstPhase ?? delivered.instant.continuous)
  }

  func receive(_ event: LifecycleEvent) {
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
    let task = tasks.begin("deferred work") { [weak self] in self?.stop(number) }
    // The wake can't end before its runner is started.
    let (start, gate) = AsyncStream.makeStream(of: Never.self)
    let runner = starter.start { [self] in
      for await _ in start {}
      await runWaitingJobs()
      task.end(.finished)
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

  private func runWaitingJobs() async {
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
      let result: DeferredWorkQueue.JobResult =
        failure.map { isStopped ? .interrupted : .failed($0) } ?? .finished
      onReport(
        DeferredWorkQueue.JobReport(
          id: entry.id,
          result: result,
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
