import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// One fetch of an ``InMemoryBackgroundFetchHost``, from its request to its completion.
///
/// The request keeps the fetch alive: when the last reference is released, the fetch can no longer
/// complete.
final class InMemoryFetch: Sendable {
  private enum State {
    case running
    case completed(BackgroundFetchResult)
    /// The fetch was given up and reported.
    case missed
  }

  let number: Int
  private let log: FetchLog
  private let site: CallSite
  private let onResult: @Sendable (BackgroundFetchResult) -> Void
  private let alarm: Alarm
  private let state = Locked(State.running)

  /// - Parameters:
  ///   - clock: The clock of the deadline.
  ///   - site: The call that requested the fetch.
  ///   - onResult: Called once.
  init(
    _ log: FetchLog,
    _ clock: any LifecycleClock,
    _ site: CallSite,
    _ onResult: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) {
    number = log.nextNumber()
    self.log = log
    self.site = site
    alarm = Alarm(clock)
    self.onResult = onResult
  }

  deinit {
    giveUp(
      """
      Background fetch \(number) can no longer be completed because its request was released. \
      Complete each request exactly once, on every path.
      """
    )
  }

  func complete(_ result: BackgroundFetchResult) {
    let old = state.withLock { state in
      let old = state
      if case .running = state { state = .completed(result) }
      return old
    }
    alarm.end()
    switch old {
    case .running:
      log.append(.completed(number, result))
      onResult(result)
    case .completed(let first):
      log.failures.report(
        """
        Background fetch \(number) was completed twice: first with \(first), then with \(result). \
        UIKit raises an exception in this case. Complete each request exactly once.
        """,
        at: site
      )
    case .missed: break
    }
  }

  /// Gives the fetch up at the deadline, unless it is complete by then.
  func watch(_ deadline: Duration, until end: ContinuousInstant) {
    alarm.set(for: end) { [weak self] in self?.deadlineIsOver(deadline) }
  }

  private func deadlineIsOver(_ deadline: Duration) {
    log.expire(self)
    giveUp(
      """
      Background fetch \(number) was not completed within \(deadline). In this case, the system \
      suspends the process and launches it less often. Complete the request before the deadline, \
      with failed if necessary.
      """
    )
  }

  func expire() { log.expire(self) }

  private func giveUp(_ message: String) {
    let old = state.withLock { state in
      let old = state
      if case .running = state { state = .missed }
      return old
    }
    alarm.end()
    guard case .running = old else { return }
    log.failures.report(message, at: site)
    onResult(.failed)
  }
}
