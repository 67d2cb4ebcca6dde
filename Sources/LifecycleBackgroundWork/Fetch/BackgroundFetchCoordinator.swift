public import ReactiveLifecycle

/// A coordinator that lets any number of handlers take part in the background fetches of the
/// process, each of which is completed exactly once, with one result for all of them.
///
/// ```swift
/// let fetches = BackgroundFetchCoordinator(of: bus)
/// fetches.addHandler(named: "inbox", in: scope) {
///   try await inbox.refresh() ? .newData : .noData
/// }
/// let report = await fetches.performFetch(deadline: .seconds(30))
/// ```
///
/// A fetch runs all handlers concurrently. It is complete as soon as all have answered, or at its
/// deadline:
///
/// | result | if |
/// | --- | --- |
/// | `newData` | a handler has new data |
/// | `failed` | none has, and one failed or missed the deadline |
/// | `noData` | otherwise, also without any handler |
///
/// At the deadline, and when the caller that requested the fetch gives up, the handlers that have
/// not answered are cancelled, without waiting for them. A handler that is removed during a fetch
/// is cancelled, and does not count for it; a handler that is added takes part in the next one.
/// Fetches may overlap: a handler runs once for each, possibly twice at the same time.
///
/// When a fetch is complete, its report is published, then the bus delivers
/// `backgroundFetchDidComplete`, and then the host receives the result: observers can refresh the
/// screen before the system takes a picture of it. If the bus can't deliver, because the main actor
/// is busy, this is delayed by a second at most.
///
/// The fetches under way when the bus or the coordinator ends end with it. Fetches still running at
/// `willTerminate` complete during its delivery, without a `backgroundFetchDidComplete` event, and
/// before observers that were registered earlier than the coordinator are called. A fetch that
/// begins later fails at once.
public final class BackgroundFetchCoordinator: Sendable {
  package let core: BackgroundFetchCore
  let wakeUp = BackgroundFetchWakeUp()

  /// Creates a coordinator without handlers.
  ///
  /// - Parameters:
  ///   - bus: The bus that reports each fetch, and whose clock is used. The coordinator does not
  ///     keep it alive.
  ///   - executor: The executor for handlers that are not isolated to an actor. If nil, they run on
  ///     dedicated threads, so that a handler that blocks its thread delays no other. In tests, a
  ///     manual clock.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public init(
    of bus: some LifecycleBusProtocol,
    executor: (any TaskExecutor)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    core = BackgroundFetchCore(
      bus: bus.core,
      executor: executor ?? BackgroundFetchExecutor.shared,
      madeAt: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  deinit {
    core.release()
  }

  /// A publisher of the report of each fetch from now on, when it is complete. Reports are
  /// delivered where the bus delivers, before `backgroundFetchDidComplete`.
  ///
  /// ```swift
  /// fetches.reports
  ///   .sink { trace("fetch \($0.number): \($0.result)") }
  ///   .store(in: scope)
  /// ```
  ///
  /// Reports that a subscriber has not requested yet are kept for it. The publisher finishes when
  /// the coordinator is released, or the bus ends.
  public var reports: LifecyclePublisher<BackgroundFetchReport> {
    LifecyclePublisher(of: core, on: core.bus)
  }

  /// Runs all handlers, and waits for them until the deadline.
  ///
  /// ```swift
  /// let report = await fetches.performFetch(deadline: .seconds(30))
  /// ```
  ///
  /// The handlers have begun, or are about to, when this method first suspends. If its task is
  /// cancelled, it waits no longer: the deadline is now.
  ///
  /// - Parameter deadline: The time available, on the clock of the bus, which counts sleep.
  /// - Parameter isolation: The actor of the caller.
  /// - Returns: The report of the fetch, after the observers of the bus were notified.
  @discardableResult
  public func performFetch(
    deadline: Duration = .seconds(30),
    isolation: isolated (any Actor)? = #isolation
  ) async -> BackgroundFetchReport {
    let run = core.makeRun()
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        run.whenConcluded { continuation.resume(returning: $0) }
        core.begin(run, deadline: deadline)
      }
    } onCancel: {
      run.expire()
    }
  }
}
