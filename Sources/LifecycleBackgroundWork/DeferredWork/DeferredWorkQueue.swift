public import ReactiveLifecycle

/// Jobs to run the next time that the process runs in the background anyway, or returns.
///
/// ```swift
/// let deferred = DeferredWorkQueue(of: bus, tasks: tasks) { result in log(result) }
/// deferred.enqueue("thumbnails") { try await makeThumbnails() }
/// ```
///
/// A *wake* runs all the jobs that wait when it begins, in the order in which they were enqueued, one
/// after the other, inside one background task. What begins one:
///
/// - the return to the foreground after a stay in the background: not the first foreground after launch;
/// - `systemDidWake`;
/// - ``runJobs()``, for instance in the handler of a background fetch.
///
/// During a wake another one joins it: no job runs twice, and one that is enqueued meanwhile waits for
/// the next. A wake that is asked for while an earlier one has been told to stop, and has not ended yet,
/// follows it.
///
/// When time is up, on the main actor, the job that runs is cancelled: its cancellation handlers have run
/// before the process may be suspended. Those that have not begun are kept for the next wake. One that
/// throws after it was cancelled, whatever it throws, is kept behind them; one that returns all the same
/// is finished. A job that throws by itself is finished, too: its failure is in its result.
///
/// At the end of the bus, and when the queue is released, the job that runs is cancelled, and all others
/// are forgotten; the background task ends when that job has returned. The queue holds a job until it is
/// finished: one that refers to its queue keeps it alive until then.
///
/// Everything can be called on any thread.
public final class DeferredWorkQueue: Sendable {
  /// Something to do. It runs on the global executor, or on the actor that its closure belongs to, and
  /// should mind that it is cancelled.
  public typealias Job = @Sendable () async throws -> Void

  private let core: DeferredWorkCore
  private let row: ListenerRow

  /// A queue without jobs.
  ///
  /// - Parameters:
  ///   - bus: Whose events begin wakes, and whose clock measures durations.
  ///   - tasks: Who lets the process run on during wakes.
  ///   - onResult: Called for each run of a job, before the next one begins, on the global executor.
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

  /// The same.
  ///
  /// - Parameter executor: Where jobs run; nil for the global executor.
  package init(
    _ bus: LifecycleBusCore,
    _ tasks: BackgroundTaskCoordinator,
    executor: (any TaskExecutor)?,
    _ site: CallSite,
    _ onResult: @escaping @Sendable (JobReport) -> Void
  ) {
    core = DeferredWorkCore(tasks, bus.clock, executor, onResult, site)
    row = ListenerRow(
      core: bus,
      kinds: [.willEnterForeground, .systemDidWake],
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
  /// A waiting job of the same identifier is replaced: the new one takes its place. So is one that a
  /// wake has not come to yet, but then the new one waits for the next wake, at the end. One that runs
  /// goes on; it is not kept if it does not finish. After the end of the bus nothing is added.
  ///
  /// - Parameters:
  ///   - id: What tells it from other jobs, and what results name.
  ///   - job: What to do. It may be run again if it was cancelled and did not finish.
  public func enqueue(_ id: String, _ job: @escaping Job) {
    core.enqueue(id, job)
  }

  /// Removes the job of that identifier, if it waits. One that runs goes on; it is not kept if it does not
  /// finish.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func remove(_ id: String) -> Bool {
    core.remove(id)
  }

  /// The identifiers of the jobs that have not begun, in the order in which they will.
  public var pendingJobs: [String] { core.pendingJobs }

  /// Runs the jobs that wait, or joins the wake that is under way.
  ///
  /// ```swift
  /// await deferred.runJobs()
  /// ```
  ///
  /// It returns when the jobs of the wake have ended, be they finished or not; at once if there are none.
  /// When its task is cancelled it returns at once, and the wake is stopped, as if time were up, unless
  /// an event or another caller has asked for it, too.
  public func runJobs() async {
    await core.runJobs()
  }
}
