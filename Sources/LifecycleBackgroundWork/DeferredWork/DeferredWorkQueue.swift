public import ReactiveLifecycle

/// A queue of jobs that run the next time that the process runs in the background anyway, or
/// returns to the foreground.
///
/// ```swift
/// deferred = DeferredWorkQueue(of: bus, tasks: tasks) { result in log(result) }
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
/// A request for a wake during another one joins it. No job runs twice, and a job that is enqueued
/// meanwhile waits for the next wake. If the wake under way has been stopped but has not ended yet,
/// another wake follows it.
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
  /// The closure of a job. It runs on the global executor, or on the actor that its closure is
  /// isolated to, and should respond to cancellation.
  public typealias Job = @Sendable () async throws -> Void

  private let core: DeferredWorkCore
  private let row: ListenerRow

  /// Creates a queue without jobs.
  ///
  /// - Parameters:
  ///   - bus: The bus whose events begin wakes, and whose clock measures durations.
  ///   - tasks: The coordinator that keeps the process running during wakes.
  ///   - onResult: Called on the global executor for each run of a job, before the next one begins.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public convenience init(
    of bus: some LifecycleBusProtocol,
    tasks: BackgroundTaskCoordinator,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    onResult: @escaping @Sendable (JobReport) -> Void = { _ in }
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(bus.core, tasks, executor: nil, site, onResult)
  }

  /// Creates a queue whose jobs run on an executor.
  ///
  /// - Parameter executor: The executor that runs the jobs; nil for the global executor.
  package init(
    _ bus: LifecycleBusCore,
    _ tasks: BackgroundTaskCoordinator,
    executor: (any TaskExecutor)?,
    _ site: CallSite,
    _ onResult: @escaping @Sendable (JobReport) -> Void
  ) {
    core = DeferredWorkCore(of: bus, tasks, executor, onResult, site)
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
  /// wake, behind the others. A running job continues; it is not kept if it does not finish. Has no
  /// effect after the end of the bus.
  ///
  /// - Parameters:
  ///   - id: The identifier, which distinguishes the job from others, and appears in reports.
  ///   - job: The work to do. It may run again if it was cancelled and did not finish.
  public func enqueue(_ id: String, _ job: @escaping Job) {
    core.enqueue(id, job)
  }

  /// Removes the job with an identifier.
  ///
  /// A running job continues; it is not kept if it does not finish.
  ///
  /// - Returns: Whether there was such a job: waiting, or running and not removed or replaced
  ///   before.
  @discardableResult
  public func remove(_ id: String) -> Bool {
    core.remove(id)
  }

  /// The identifiers of the jobs that have not begun, in the order in which they will run.
  public var pendingJobs: [String] { core.pendingJobs }

  /// Runs the waiting jobs, or joins the wake under way.
  ///
  /// ```swift
  /// await deferred.runJobs()
  /// ```
  ///
  /// Returns when the jobs of the wake have ended, finished or not, and at once if there are none.
  /// When its task is cancelled, it returns at once, and the wake is stopped as if time were up,
  /// unless an event or another caller has requested it, too.
  public func runJobs() async {
    await core.runJobs()
  }
}
