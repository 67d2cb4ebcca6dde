import LifecycleBackgroundWork
import LifecycleCombine
import ReactiveLifecycle

/// Refreshes a feed on request, and at an interval in the background.
@MainActor
final class FeedRefresher {
  enum Update: Hashable, Sendable {
    /// A fetch is under way and has loaded the given number of bytes.
    case progress(bytes: Int)
    case fetch(FeedFetch)
  }

  /// Loads the feed, and returns the titles of the entries that are new since the last time.
  ///
  /// The closure that it receives may be called on any thread, with the number of bytes so far.
  typealias Load = @Sendable (@escaping @Sendable (Int) -> Void) async throws -> [String]

  /// The closure that is called with every update.
  var onUpdate: (Update) -> Void = { _ in }

  private let load: Load
  private let deadline: Duration
  private let fetches: BackgroundFetchCoordinator
  private let tasks: BackgroundTaskCoordinator
  private let deferred: DeferredWorkQueue
  private let bus: LifecycleBus
  /// The titles that were loaded and not reported yet.
  private var news: [String] = []
  private var scope: LifecycleScope?
  /// A Boolean value that indicates whether a requested fetch has not been reported yet.
  private var isFetching = false
  private var hasFailed = false
  private var running = 0
  /// A task for each fetch that is not reported yet: the process must not stop before.
  private var unreported: [BackgroundTask] = []
  /// The time between two fetches in the background; nil for none.
  private var interval: Duration?
  private var isScheduled = false

  /// - Parameters:
  ///   - deadline: The time that a fetch may take.
  ///   - bus: The bus whose phase determines when to fetch.
  ///   - tasks: The background tasks that keep the process running during a fetch.
  ///   - load: Loads the feed.
  init(
    deadline: Duration,
    on bus: LifecycleBus,
    tasks: BackgroundTaskCoordinator,
    load: @escaping Load
  ) {
    self.load = load
    self.deadline = deadline
    self.bus = bus
    self.tasks = tasks
    fetches = BackgroundFetchCoordinator(of: bus)
    deferred = DeferredWorkQueue(of: bus, tasks: tasks)
  }

  /// - Parameter interval: The time between two fetches in the background; nil for none.
  func appear(interval: Duration?) {
    let scope = LifecycleScope("feed")
    self.scope = scope
    fetches.addHandler(named: "feed", in: scope) { [weak self] in
      try await self?.refresh() ?? .noData
    }
    fetches.reports.sink { [weak self] report in self?.take(report) }.store(in: scope)
    guard let interval else { return }
    self.interval = interval
    fetches.connect(BackgroundFetchScheduler(of: bus, deadline: deadline)).store(in: scope)
    bus.phases.sink { [weak self] _ in self?.reschedule() }.store(in: scope)
  }

  func disappear() {
    scope?.end()
    scope = nil
    for task in unreported { task.end() }
    unreported = []
  }

  /// Fetches now.
  ///
  /// - Returns: The result, after it was reported; nil if a fetch is already under way, which
  ///   suffices.
  @discardableResult
  func fetch() async -> BackgroundFetchResult? {
    guard !isFetching else { return nil }
    isFetching = true
    return await fetches.performFetch(deadline: deadline).result
  }

  private func tryAgain() async {
    if hasFailed { await fetch() }
  }

  /// Lets the scheduler work in the background while no other fetch is under way.
  private func reschedule() {
    guard let interval else { return }
    let isScheduled = bus.phase == .background && !isFetching
    guard isScheduled != self.isScheduled else { return }
    self.isScheduled = isScheduled
    fetches.setMinimumInterval(isScheduled ? interval : nil)
  }

  private func refresh() async throws -> BackgroundFetchReport.HandlerResult {
    running += 1
    defer { running -= 1 }
    unreported.append(tasks.beginTask(named: "feed report"))
    onUpdate(.progress(bytes: 0))
    let new = try await withBackgroundTask(named: "feed", tasks: tasks) { [load] in
      try await load { bytes in
        Task { @MainActor [weak self] in self?.progress(bytes) }
      }
    }
    news += new
    return new.isEmpty ? .noData : .newData
  }

  private func progress(_ bytes: Int) {
    if running > 0 { onUpdate(.progress(bytes: bytes)) }
  }

  private func take(_ report: BackgroundFetchReport) {
    defer { if !unreported.isEmpty { unreported.removeFirst().end() } }
    hasFailed = report.result == .failed
    // After the return to the foreground, a fetch that has failed is tried again.
    if hasFailed { deferred.enqueue("feed") { [weak self] in await self?.tryAgain() } }
    // The reader of the report's line may request the next fetch.
    isFetching = false
    reschedule()
    let fetch = FeedFetch(
      number: report.number,
      result: report.result,
      reason: report.result == .failed ? reason(report) : nil,
      duration: report.duration,
      newTitles: report.result == .newData ? news : []
    )
    news = []
    onUpdate(.fetch(fetch))
  }

  private func reason(_ report: BackgroundFetchReport) -> String {
    guard case .failed(let error)? = report.handlers.first?.result else { return "ended early" }
    return switch error {
    case BackgroundFetchError.deadlineMissed: "no response within \(deadline / .seconds(1)) s"
    case BackgroundFetchError.ended: "the process is ending"
    case is CancellationError: "the background time has expired"
    default: "\(error)"
    }
  }
}

/// The outcome of one fetch.
struct FeedFetch: Hashable, Sendable {
  var number: Int
  var result: BackgroundFetchResult
  /// The reason of the failure, if the fetch has failed.
  var reason: String?
  var duration: Duration
  /// The titles of the new entries.
  var newTitles: [String] = []
}
