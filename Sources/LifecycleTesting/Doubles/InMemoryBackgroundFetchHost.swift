public import LifecycleBackgroundWork
import LifecycleSupport
public import ReactiveLifecycle

/// A host for background fetches that wakes the process up when a test wants it, and records what
/// became of that.
///
/// ```swift
/// let host = InMemoryBackgroundFetchHost()
/// let feed = Feed(host)
/// let result = await host.fetch()
/// // host.operations == [.setMinimumInterval(.seconds(900)), .began(1), .completed(1, .newData)]
/// ```
///
/// Mistakes that a system answers with an exception, or with less trust, fail the test, at the line
/// that asked for the fetch: a second completion, one that never comes, or not by the deadline. Those
/// that other threads make are reported when the test next uses the host.
public final class InMemoryBackgroundFetchHost: BackgroundFetchHost {
  /// Something that was done. Fetches are numbered from 1.
  public enum Operation: Sendable, Hashable {
    /// See ``BackgroundFetchHost/setMinimumInterval(_:)``.
    case setMinimumInterval(Duration?)
    /// The process was woken up for a fetch.
    case began(Int)
    /// It was told that its time is up.
    case expired(Int)
    /// It was completed, with that result.
    case completed(Int, BackgroundFetchResult)
  }

  private let clock: any LifecycleClock
  private let log = FetchLog()
  private let handler = Locked<(@Sendable (BackgroundFetchRequest) -> Void)?>(nil)

  /// A host whose deadlines go by a clock.
  ///
  /// - Parameter clock: Without one, time stands still, and no deadline is missed.
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

  /// All that was done so far, the oldest first. Any thread.
  public var operations: [Operation] { log.operations }

  /// The interval that was set last; nil, as at first, for never. Any thread.
  public var minimumInterval: Duration? {
    for case .setMinimumInterval(let interval) in operations.reversed() { return interval }
    return nil
  }

  /// The results of the fetches that were completed, the oldest first. Any thread.
  public var results: [BackgroundFetchResult] {
    operations.compactMap { if case .completed(_, let result) = $0 { result } else { nil } }
  }

  /// Wakes the process up for a fetch, whatever the minimum interval is, as *Simulate Background
  /// Fetch* does. The handler has been called when this returns; its result is in ``results``, now or
  /// later.
  ///
  /// Without a handler there is nothing new. (UIKit does not wake an application up that has no
  /// `application(_:performFetchWithCompletionHandler:)`.)
  ///
  /// - Parameter deadline: How much time there is. When it is over, on the clock, the request expires;
  ///   if it is not completed by then, that is reported.
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

  /// Wakes the process up for a fetch, and waits for its result: see
  /// ``beginFetch(deadline:fileID:filePath:line:column:)``.
  ///
  /// - Parameter deadline: How much time there is, on the clock.
  /// - Returns: The result; `failed` if none came by the deadline, or none can come any more.
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

  /// Tells every fetch that is not complete that its time is up, as a system does that wants the
  /// process to stop before the deadline. Any thread.
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
    // After the handler: what it has scheduled for the deadline comes first.
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

/// `Duration` would show how it is stored: two halves of a number of attoseconds.
private struct Interval: CustomStringConvertible, CustomReflectable {
  let description: String

  init(_ duration: Duration) { description = "\(duration)" }

  var customMirror: Mirror { Mirror(self, children: []) }
}
