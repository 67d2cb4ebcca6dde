public import ReactiveLifecycle

/// A host for background fetches where the system has none, as on Linux: it wakes the handler up by
/// the minimum interval, while the process runs.
///
/// ```swift
/// let scheduler = BackgroundFetchScheduler(of: bus, store: store)
/// let connection = fetches.connect(scheduler)
/// fetches.setMinimumInterval(.after(.seconds(900)))
/// ```
///
/// The interval is counted from the beginning of the last fetch, across launches if there is a store;
/// without a fetch before, from the moment when it was set. A fetch begins in the background only,
/// unless it is told otherwise; one that became due in the foreground, or while the process was stopped
/// or the device asleep, begins as soon as it may, once however many were missed, and the next is
/// counted from it. Fetches that begin on time, which means within 0.1 s, do not drift. The scheduler
/// never overlaps its fetches: one that is due while another one is under way begins after it.
///
/// Its release, and the end of the bus, cancel what is to come; a fetch that is under way goes on.
public final class BackgroundFetchScheduler: BackgroundFetchHost {
  /// The time between two fetches at an interval of zero, ``BackgroundFetchInterval/minimum``.
  public static let shortestInterval = Duration.seconds(60)

  private let core: BackgroundFetchSchedule

  /// A scheduler without a handler, which never fetches.
  ///
  /// - Parameters:
  ///   - bus: Says when the process is in the background; its clock counts. It is not kept alive.
  ///   - limit: How far forward the process may be: `active` for fetches at any time. An `unknown` phase
  ///     counts as `active`. One further back than `background` is reported at the caller's line.
  ///   - deadline: How much time each fetch has.
  ///   - store: Where the time of the last fetch is kept.
  public init(
    of bus: some LifecycleBusProtocol,
    atMost limit: LifecyclePhase = .background,
    deadline: Duration = .seconds(30),
    store: BackgroundFetchStore = .inMemory,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    if limit < .background {
      site.report(
        """
        A scheduler that may fetch at most in the phase \(limit) never fetches. Choose background, \
        or active for fetches at any time.
        """
      )
    }
    core = BackgroundFetchSchedule(
      bus: bus.core,
      limit: limit,
      deadline: deadline,
      store: store,
      madeAt: site
    )
  }

  deinit {
    core.end()
  }

  public func setMinimumInterval(_ interval: Duration?) {
    core.setInterval(interval.map { $0 > .zero ? $0 : Self.shortestInterval })
  }

  public func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    core.setHandler(handler)
  }
}
