import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// The fetches of a scheduler that launches the process for each request, as `BGTaskScheduler`
/// does.
///
/// Determines what to submit and when, and passes each completion to the scheduler exactly once.
final class ScheduledFetches: Sendable {
  private enum Handler {
    case untouched
    case set((@Sendable (BackgroundFetchRequest) -> Void)?)
  }

  private let deadline: Duration
  private let submit: @Sendable (_ delay: Duration) throws -> Void
  private let cancel: @Sendable () -> Void
  private let onSubmitError: @Sendable (any Error) -> Void
  /// The place where the host was created.
  private let site: CallSite
  private let submissions = Locked(FetchSubmissionMachine())
  private let handler = Locked(Handler.untouched)

  /// - Parameters:
  ///   - deadline: The time that each fetch has.
  ///   - site: The place where the host was created.
  ///   - submit: Submits a request that replaces the one before. It is never called by two threads
  ///     at a time; nor is `cancel`, which cancels the request, nor `onSubmitError`.
  init(
    deadline: Duration,
    madeAt site: CallSite,
    submit: @escaping @Sendable (_ delay: Duration) throws -> Void,
    cancel: @escaping @Sendable () -> Void,
    onSubmitError: @escaping @Sendable (any Error) -> Void
  ) {
    self.deadline = deadline
    self.site = site
    self.submit = submit
    self.cancel = cancel
    self.onSubmitError = onSubmitError
  }

  func setInterval(_ interval: Duration?) {
    if submissions.withLock({ $0.setInterval(interval) }) { act() }
  }

  func setHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    self.handler.exchange(.set(handler))
  }

  /// Handles a launch of the process for a task: passes the fetch to the handler.
  ///
  /// Without a handler, completes it with no new data, which is reported if none was ever set.
  ///
  /// - Parameters:
  ///   - prepare: Receives the closure that the task's expiration calls, before the task can be
  ///     completed.
  ///   - complete: Called on any thread, once, to complete the task, with or without success.
  func launch(
    prepare: (_ onExpiration: @escaping @Sendable () -> Void) -> Void,
    complete: @escaping @Sendable (_ isSuccess: Bool) -> Void
  ) {
    // First of all: once the task is complete, the process may be suspended.
    if submissions.withLock({ $0.launch() }) { act() }
    // The receiver keeps the request, which releases the system's part when that is done.
    let answer = SystemAnswer { complete($0 != .failed) }
    let request = BackgroundFetchRequest(deadline: deadline) { answer.give($0) }
    prepare { request.expire() }
    switch handler.withLock({ $0 }) {
    case .set(let handler?): handler(request)
    case .set(nil): request.complete(.noData)
    case .untouched:
      site.report(
        """
        A background fetch arrived before a handler was set, so it was answered with noData. \
        Connect the host before the application has finished launching.
        """
      )
      request.complete(.noData)
    }
  }

  private func act() {
    while let action = submissions.withLock({ $0.next() }) {
      switch action {
      case .submit(let delay):
        do { try submit(delay) } catch { onSubmitError(error) }
      case .cancel: cancel()
      }
    }
  }
}

/// A state machine that decides when to submit requests to a scheduler.
///
/// The scheduler launches the process once per request. The machine is pure: it makes no system
/// calls. One thread at a time calls the scheduler: the thread that is instructed to act. Decisions
/// made meanwhile follow, so that the last one takes effect.
struct FetchSubmissionMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Submit a request that is due after the given time and replaces the one before.
    case submit(after: Duration)
    /// Cancel the request.
    case cancel
  }

  /// The minimum interval; nil for never.
  private var interval: Duration?
  private var wanted: Action?
  private var isActing = false

  /// - Returns: True if the caller is to act: to perform the actions of ``next()`` until it returns
  ///   nil.
  mutating func setInterval(_ interval: Duration?) -> Bool {
    self.interval = interval
    return want(interval.map { .submit(after: $0) } ?? .cancel)
  }

  /// Records that the process was launched, which uses up the request.
  ///
  /// - Returns: True if the caller is to act.
  mutating func launch() -> Bool {
    guard let interval else { return false }
    return want(.submit(after: interval))
  }

  mutating func next() -> Action? {
    let action = wanted.take()
    isActing = action != nil
    return action
  }

  private mutating func want(_ action: Action) -> Bool {
    wanted = action
    defer { isActing = true }
    return !isActing
  }
}

/// The system's part of a fetch, which is answered once.
private final class SystemAnswer: Sendable {
  typealias Body = @Sendable (BackgroundFetchResult) -> Void

  private let body: Locked<Body?>

  init(_ body: @escaping Body) { self.body = Locked(body) }

  /// No one can complete the fetch from here on.
  deinit { give(.failed) }

  func give(_ result: BackgroundFetchResult) {
    body.take()?(result)
  }
}
