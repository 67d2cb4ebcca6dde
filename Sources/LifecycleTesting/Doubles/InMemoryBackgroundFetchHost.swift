public import LifecycleBackgroundWork
public import LifecycleCore
import LifecycleSupport

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
  @nonexhaustive
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
  private let fetches = Fetches()
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
    fetches.note(.setMinimumInterval(interval))
  }

  public func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    self.handler.exchange(handler)
  }

  // MARK: The test's side

  /// The operations so far, from the oldest to the newest. Thread-safe.
  public var operations: [Operation] { fetches.operations }

  /// The interval that was set last; nil, the initial value, means never. Thread-safe.
  package var minimumInterval: Duration? {
    for case .setMinimumInterval(let interval) in operations.reversed() { return interval }
    return nil
  }

  /// The results of the completed fetches, from the oldest to the newest. Thread-safe.
  package var results: [BackgroundFetchResult] {
    operations.compactMap { if case .completed(_, let result) = $0 { result } else { nil } }
  }

  /// Wakes up the process for a fetch, regardless of the minimum interval, as *Simulate Background
  /// Fetch* does.
  ///
  /// The method returns after the handler does; the result is in ``operations`` by then, or later.
  ///
  /// Without a handler, the fetch completes with no data. (UIKit does not wake up an application
  /// that has no `application(_:performFetchWithCompletionHandler:)`.)
  ///
  /// - Parameter deadline: The time that the fetch has. When this time has passed on the clock, the
  ///   request expires; if the fetch is not complete by then, that is reported.
  public func beginFetch(
    deadline: Duration = .seconds(30),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    beginFetch(deadline, site) { _ in }
  }

  /// Wakes up the process for a fetch and waits for its result: see
  /// ``beginFetch(deadline:fileID:filePath:line:column:)``.
  ///
  /// - Parameter deadline: The time that the fetch has, on the clock.
  /// - Returns: The result; `failed` if there is none by the deadline, or if there can no longer be
  ///   one.
  public func fetch(
    deadline: Duration = .seconds(30),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> BackgroundFetchResult {
    let site = CallSite(fileID, filePath, line, column)
    let result = await withCheckedContinuation { continuation in
      beginFetch(deadline, site) { continuation.resume(returning: $0) }
    }
    fetches.failures.flush()
    return result
  }

  /// Expires every fetch that is not complete, as a system does that wants the process to stop
  /// before the deadline. Thread-safe.
  public func expire() {
    fetches.expireAll()
    fetches.failures.flush()
  }

  private func beginFetch(
    _ deadline: Duration,
    _ site: CallSite,
    _ onResult: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) {
    let end = clock.continuous + deadline
    let (number, request) = fetches.begin(deadline, clock, site, onResult)
    guard let handler = handler.withLock({ $0 }) else {
      request.complete(.noData)
      return
    }
    handler(request)
    // After the handler: work that it scheduled for the deadline comes first.
    fetches.watch(number, deadline, until: end)
    fetches.failures.flush()
  }
}

/// The fetches of a host.
///
/// Requests hold this object rather than the host, as the host holds the handler, which may hold
/// requests.
private final class Fetches: Sendable {
  private struct Fetch: Sendable {
    let site: CallSite
    /// Called once.
    let onResult: @Sendable (BackgroundFetchResult) -> Void
    let alarm: Alarm
    weak let request: BackgroundFetchRequest?
    var isExpired = false
  }

  private struct State {
    var operations: [InMemoryBackgroundFetchHost.Operation] = []
    var count = 0
    /// The fetches that are neither complete nor given up, by their numbers.
    var running: [Int: Fetch] = [:]
  }

  let failures = TestFailures()
  private let state = Locked(State())

  var operations: [InMemoryBackgroundFetchHost.Operation] {
    failures.flush()
    return state.withLock { $0.operations }
  }

  func note(_ operation: InMemoryBackgroundFetchHost.Operation) {
    state.withLock { $0.operations.append(operation) }
  }

  func begin(
    _ deadline: Duration,
    _ clock: any LifecycleClock,
    _ site: CallSite,
    _ onResult: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) -> (number: Int, BackgroundFetchRequest) {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    // Cancelled when the request is released, and its closure with it.
    let release = LifecycleCancellable { [self] in
      giveUp(
        number,
        """
        Background fetch \(number) can no longer be completed because its request was released. \
        Complete each request exactly once, on every path.
        """
      )
    }
    let request = BackgroundFetchRequest(deadline: deadline) { [self] result in
      withExtendedLifetime(release) { complete(number, result, site) }
    }
    let fetch = Fetch(site: site, onResult: onResult, alarm: Alarm(clock), request: request)
    state.withLock { state in
      state.operations.append(.began(number))
      state.running[number] = fetch
    }
    return (number, request)
  }

  private func complete(_ number: Int, _ result: BackgroundFetchResult, _ site: CallSite) {
    let (fetch, first) = state.withLock { state -> (Fetch?, BackgroundFetchResult?) in
      if let fetch = state.running.removeValue(forKey: number) {
        state.operations.append(.completed(number, result))
        return (fetch, nil)
      }
      for case .completed(number, let first) in state.operations { return (nil, first) }
      return (nil, nil)
    }
    fetch?.alarm.end()
    fetch?.onResult(result)
    guard let first else { return }
    failures.report(
      """
      Background fetch \(number) was completed twice: first with \(first), then with \(result). \
      UIKit raises an exception in this case. Complete each request exactly once.
      """,
      at: site
    )
  }

  /// Gives a fetch up at the deadline, unless it is complete by then.
  func watch(_ number: Int, _ deadline: Duration, until end: ContinuousInstant) {
    let alarm = state.withLock { $0.running[number]?.alarm }
    alarm?.set(for: end) { [weak self] in
      self?.expire(number)
      self?.giveUp(
        number,
        """
        Background fetch \(number) was not completed within \(deadline). In this case, the system \
        suspends the process and launches it less often. Complete the request before the deadline, \
        with failed if necessary.
        """
      )
    }
  }

  func expireAll() {
    for number in state.withLock({ $0.running.keys.sorted() }) { expire(number) }
  }

  /// Expires the request of a fetch, once.
  private func expire(_ number: Int) {
    let request = state.withLock { state -> BackgroundFetchRequest? in
      guard let fetch = state.running[number], !fetch.isExpired else { return nil }
      state.running[number]?.isExpired = true
      state.operations.append(.expired(number))
      return fetch.request
    }
    request?.expire()
  }

  private func giveUp(_ number: Int, _ message: @autoclosure () -> String) {
    guard let fetch = state.withLock({ $0.running.removeValue(forKey: number) }) else { return }
    fetch.alarm.end()
    failures.report(message(), at: fetch.site)
    fetch.onResult(.failed)
  }
}
