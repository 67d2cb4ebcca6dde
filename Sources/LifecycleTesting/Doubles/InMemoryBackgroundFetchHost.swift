public import LifecycleBackgroundWork
import LifecycleSupport
public import ReactiveLifecycle

/// A host for background fetches that wakes up the process on the test's request, and records the
/// outcome.
///
/// ```swift
/// let host = InMemoryBackgroundFetchHost()
/// let feed = Feed(host)
/// let result = await host.fetch()
/// // host.operations == [.setMinimumInterval(.seconds(900)), .began(1), .completed(1, .newData)]
/// ```
///
/// Mistakes that a system punishes with an exception, or with less trust, fail the test at the line
/// that requested the fetch: a second completion, a missing completion, and a completion after the
/// deadline. Mistakes on other threads are reported when the test next uses the host.
public final class InMemoryBackgroundFetchHost: BackgroundFetchHost {
  /// An operation that the host recorded. Fetches are numbered from 1.
  public enum Operation: Sendable, Hashable {
    /// The minimum interval was set: see ``InMemoryBackgroundFetchHost/setMinimumInterval(_:)``.
    case setMinimumInterval(Duration?)
    /// The process was woken up for a fetch.
    case began(Int)
    /// The fetch's request expired.
    case expired(Int)
    /// The fetch was completed, with that result.
    case completed(Int, BackgroundFetchResult)
  }

  private let clock: any LifecycleClock
  private let log = FetchLog()
  private let handler = Locked<(@Sendable (BackgroundFetchRequest) -> Void)?>(nil)

  /// Creates a host whose deadlines are measured by a clock.
  ///
  /// - Parameter clock: The clock of the deadlines. By default, time stands still, and no deadline
  ///   is missed.
  public init(clock: any LifecycleClock = ManualClock()) {
    self.clock = clock
  }

  // MARK: The host

  public func setMinimumInterval(_ interval: Duration?) {
    log.append(.setMinimumInterval(interval))
  }

  public func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    self.handler.exchange(handler)
  }

  // MARK: The test's side

  /// The operations so far, from the oldest to the newest. Thread-safe.
  public var operations: [Operation] { log.operations }

  /// The interval that was set last; nil, the initial value, means never. Thread-safe.
  public var minimumInterval: Duration? {
    for case .setMinimumInterval(let interval) in operations.reversed() { return interval }
    return nil
  }

  /// The results of the completed fetches, from the oldest to the newest. Thread-safe.
  public var results: [BackgroundFetchResult] {
    operations.compactMap { if case .completed(_, let result) = $0 { result } else { nil } }
  }

  /// Wakes up the process for a fetch, regardless of the minimum interval, as *Simulate Background
  /// Fetch* does.
  ///
  /// The method returns after the handler does; the result is in ``results`` by then, or later.
  ///
  /// Without a handler, the fetch completes with no data. (UIKit does not wake up an application
  /// that has no `application(_:performFetchWithCompletionHandler:)`.)
  ///
  /// - Parameter deadline: The time that the fetch has. When this time has passed on the clock, the
  ///   request expires; if the fetch is not complete by then, that is reported.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  public func beginFetch(
    deadline: Duration = .seconds(30),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    beginFetch(deadline, site) { _ in }
  }

  /// Wakes up the process for a fetch and waits for its result: see
  /// ``beginFetch(deadline:fileID:filePath:line:column:)``.
  ///
  /// - Parameter deadline: The time that the fetch has, on the clock.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  /// - Returns: The result; `failed` if there is none by the deadline, or if there can no longer be
  ///   one.
  public func fetch(
    deadline: Duration = .seconds(30),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> BackgroundFetchResult {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let result = await withCheckedContinuation { continuation in
      beginFetch(deadline, site) { continuation.resume(returning: $0) }
    }
    log.flush()
    return result
  }

  /// Expires every fetch that is not complete, as a system does that wants the process to stop
  /// before the deadline. Thread-safe.
  public func expire() {
    for fetch in log.runningFetches { fetch.expire() }
    log.flush()
  }

  private func beginFetch(
    _ deadline: Duration,
    _ site: CallSite,
    _ onResult: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) {
    let end = clock.continuous + deadline
    let fetch = InMemoryFetch(log, clock, site, onResult)
    let request = BackgroundFetchRequest(deadline: deadline) { fetch.complete($0) }
    log.begin(fetch, request)
    guard let handler = handler.withLock({ $0 }) else {
      request.complete(.noData)
      return
    }
    handler(request)
    // After the handler: work that it scheduled for the deadline comes first.
    fetch.watch(deadline, until: end)
    log.flush()
  }
}

extension InMemoryBackgroundFetchHost.Operation: CustomReflectable {
  public var customMirror: Mirror {
    let (name, value): (String, Any) =
      switch self {
      case .setMinimumInterval(let interval):
        ("setMinimumInterval", interval.map(Interval.init) as Any)
      case .began(let number): ("began", number)
      case .expired(let number): ("expired", number)
      case .completed(let number, let result): ("completed", (number, result))
      }
    return Mirror(self, children: [name: value], displayStyle: .enum)
  }
}

/// A duration for dumps: `Duration` would show its storage, two halves of a number of attoseconds.
private struct Interval: CustomStringConvertible, CustomReflectable {
  let description: String

  init(_ duration: Duration) { description = "\(duration)" }

  var customMirror: Mirror { Mirror(self, children: []) }
}
