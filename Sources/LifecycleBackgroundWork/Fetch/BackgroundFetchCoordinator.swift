public import ReactiveLifecycle

/// Lets any number of handlers take part in the background fetches of the process, each of which is
/// completed exactly once, with one result of them all.
///
/// ```swift
/// let fetches = BackgroundFetchCoordinator(of: bus)
/// fetches.addHandler(named: "inbox", in: scope) {
///   try await inbox.refresh() ? .newData : .noData
/// }
/// let report = await fetches.performFetch(deadline: .seconds(30))
/// ```
///
/// A fetch runs all handlers together. It is complete as soon as all have answered, or at its deadline:
///
/// | result | if |
/// | --- | --- |
/// | `newData` | a handler has new data |
/// | `failed` | none has, and one failed or missed the deadline |
/// | `noData` | otherwise, also without any handler |
///
/// At the deadline, and when whoever asked for the fetch gives up, the handlers that have not answered
/// are cancelled, which nobody waits for. A handler that is removed during a fetch is cancelled, and
/// does not count for it; one that is added takes part in the next. Fetches may overlap: a handler runs
/// once for each, maybe twice at the same time.
///
/// When a fetch is complete its report is published, then the bus delivers
/// `backgroundFetchDidComplete`, and then the host is told: the observers can
/// refresh the screen before the system takes a picture of it. A bus that can't deliver, because the main
/// actor is busy, holds this up for a second at most.
///
/// The fetches under way when the bus or the coordinator ends end with it. Inside the delivery of
/// `willTerminate` they are complete, without an event of their own, before the observers are told that
/// were registered before the coordinator was made. A fetch after that fails at once.
public final class BackgroundFetchCoordinator: Sendable {
  package let core: BackgroundFetchCore
  let wakeUp = BackgroundFetchWakeUp()

  /// A coordinator without handlers.
  ///
  /// - Parameters:
  ///   - bus: Tells of each fetch; its clock counts. The coordinator does not keep it alive.
  ///   - executor: Where handlers run that are of no actor; on threads of their own if nil, so that one
  ///     that blocks its thread holds nobody up. In tests, a manual clock.
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

  /// The report of each fetch from now on, when it is complete. Where the bus delivers, before
  /// `backgroundFetchDidComplete`.
  ///
  /// ```swift
  /// fetches.reports
  ///   .sink { trace("fetch \($0.number): \($0.result)") }
  ///   .store(in: scope)
  /// ```
  ///
  /// Reports that a subscriber has not asked for yet are kept for it. The stream finishes when the
  /// coordinator is released, or the bus ends.
  public var reports: LifecyclePublisher<BackgroundFetchReport> {
    LifecyclePublisher(fedBy: core, on: core.bus)
  }

  /// Runs all handlers, and waits for them until the deadline.
  ///
  /// ```swift
  /// let report = await fetches.performFetch(deadline: .seconds(30))
  /// ```
  ///
  /// The handlers have begun, or are about to, when this first suspends. A task that is cancelled waits
  /// no longer: the deadline is now.
  ///
  /// - Parameter deadline: How much time there is, on the clock of the bus, which counts sleep.
  /// - Returns: What became of the fetch, after the observers of the bus were told.
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
