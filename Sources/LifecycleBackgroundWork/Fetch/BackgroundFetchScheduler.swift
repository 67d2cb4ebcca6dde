public import ReactiveLifecycle

/// A host for background fetches where the system has none, as on Linux: it calls the handler at
/// the minimum interval, while the process runs.
///
/// ```swift
/// let scheduler = BackgroundFetchScheduler(of: bus, store: store)
/// fetches.connect(scheduler).store(in: scope)
/// fetches.setMinimumInterval(.after(.seconds(900)))
/// ```
///
/// The interval is counted from the beginning of the last fetch, across launches if there is a
/// store; without an earlier fetch, from the moment when an interval was first set, or set again
/// after nil. Another interval does not start the count anew. A fetch begins only in the
/// background, unless the limit allows otherwise. A phase that the process only passes through, as
/// it does the background at a launch to the foreground, does not count. A fetch that became due in
/// the foreground, or while the process was stopped or the device asleep, begins as soon as
/// possible, once, however many were missed, and the next one is counted from it. Fetches that
/// begin on time, within 0.1 s, do not drift. The scheduler never overlaps its fetches: a fetch
/// that is due while another one is under way begins after it.
///
/// The release of the scheduler, and the end of the bus, cancel future fetches; a fetch that is
/// under way continues.
public final class BackgroundFetchScheduler: BackgroundFetchHost {
  /// The time between two fetches at an interval of zero, ``BackgroundFetchInterval/minimum``.
  public static let shortestInterval = Duration.seconds(60)

  private let core: BackgroundFetchSchedule

  /// Creates a scheduler without a handler, which never fetches.
  ///
  /// - Parameters:
  ///   - bus: The bus that reports when the process is in the background, and whose clock is used.
  ///     It is not kept alive.
  ///   - limit: The foremost phase in which a fetch may begin: `active` for fetches at any time. An
  ///     `unknown` phase counts as `active`. A limit further back than `background` is reported at
  ///     the caller's line.
  ///   - deadline: The time available for each fetch.
  ///   - store: The store that keeps the time of the last fetch.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
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
        A scheduler that fetches at most in the phase \(limit) never fetches. Pass .background, or \
        .active to fetch at any time.
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
