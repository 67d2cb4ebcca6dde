import LifecycleCore
import LifecycleSupport

/// The fetches of a scheduler that launches the process for each request, as `BGTaskScheduler`
/// does.
///
/// Determines what to submit and when, and passes each completion to the scheduler exactly once.
final class ScheduledFetches: Sendable {
  private enum Handler {
    case untouched
    case set((@Sendable (BackgroundFetchRequest) -> Void)?)
  }

  private struct Submissions {
    var machine = FetchSubmissionMachine()
    /// The completions that wait for the next request to be submitted; nil if none has to wait.
    var held: [@Sendable () -> Void]?
  }

  private let deadline: Duration
  private let timeToPending: @Sendable () async -> Duration?
  private let submit: @Sendable (_ delay: Duration) async throws -> Void
  private let cancel: @Sendable () -> Void
  private let onSubmitError: @Sendable (any Error) -> Void
  /// The place where the host was created.
  private let site: CallSite
  private let submissions = Locked(Submissions())
  private let handler = Locked(Handler.untouched)

  /// - Parameters:
  ///   - deadline: The time that each fetch has.
  ///   - site: The place where the host was created.
  ///   - timeToPending: Returns the time after which the request that the scheduler holds is due,
  ///     which an earlier process may have submitted; nil if there is none. Called as `submit`.
  ///   - submit: Submits a request that replaces the one before, and returns when the scheduler has
  ///     answered. It is called off the main thread, and not before the previous call of `submit`,
  ///     `timeToPending`, `cancel` or `onSubmitError` has returned.
  ///   - cancel: Cancels the request. Called as `submit`.
  ///   - onSubmitError: Receives the error of `submit`. Called as `submit`.
  init(
    deadline: Duration,
    madeAt site: CallSite,
    timeToPending: @escaping @Sendable () async -> Duration?,
    submit: @escaping @Sendable (_ delay: Duration) async throws -> Void,
    cancel: @escaping @Sendable () -> Void,
    onSubmitError: @escaping @Sendable (any Error) -> Void
  ) {
    self.deadline = deadline
    self.site = site
    self.timeToPending = timeToPending
    self.submit = submit
    self.cancel = cancel
    self.onSubmitError = onSubmitError
  }

  func setInterval(_ interval: Duration?) {
    if submissions.withLock({ $0.machine.setInterval(interval) }) { act() }
  }

  func setHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    self.handler.exchange(.set(handler))
  }

  /// Handles a launch of the process for a task: passes the fetch to the handler.
  ///
  /// Without a handler, completes it with no new data, which is reported if none was ever set. The
  /// process may be suspended once the task is complete, so the completion waits until the next
  /// request has been submitted, or the task expires.
  ///
  /// - Parameters:
  ///   - prepare: Receives the closure that the task's expiration calls, before the task can be
  ///     completed.
  ///   - complete: Called on any thread, once, to complete the task, with or without success.
  func launch(
    prepare: (_ onExpiration: @escaping @Sendable () -> Void) -> Void,
    complete: @escaping @Sendable (_ isSuccess: Bool) -> Void
  ) {
    let acts = submissions.withLock { submissions in
      let acts = submissions.machine.launch()
      if submissions.machine.isActing { submissions.held = submissions.held ?? [] }
      return acts
    }
    if acts { act() }
    // The receiver keeps the request, which releases the system's part when that is done.
    let answer = SystemAnswer { result in self.afterSubmission { complete(result != .failed) } }
    let request = BackgroundFetchRequest(deadline: deadline) { answer.give($0) }
    prepare {
      for complete in self.submissions.withLock({ $0.held.take() }) ?? [] { complete() }
      request.expire()
    }
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

  /// Calls the closure: at once, or, if completions are held, when they are released.
  private func afterSubmission(_ complete: @escaping @Sendable () -> Void) {
    let isHeld = submissions.withLock { submissions in
      submissions.held?.append(complete)
      return submissions.held != nil
    }
    if !isHeld { complete() }
  }

  private func act() {
    Task {
      while let action = next() {
        switch action {
        case .submit(let delay, let keepsPending):
          if keepsPending, let time = await timeToPending(), time <= delay { continue }
          do { try await submit(delay) } catch { onSubmitError(error) }
        case .cancel: cancel()
        }
      }
    }
  }

  /// Returns the next action; releases the completions if there is none.
  private func next() -> FetchSubmissionMachine.Action? {
    let (action, released) = submissions.withLock { submissions in
      let action = submissions.machine.next()
      return (action, action == nil ? submissions.held.take() : nil)
    }
    for complete in released ?? [] { complete() }
    return action
  }
}

/// A state machine that decides when to submit requests to a scheduler.
///
/// The scheduler launches the process once per request. The machine is pure: it makes no system
/// calls. One task at a time calls the scheduler: the one that is instructed to act. Decisions made
/// meanwhile follow, so that the last one takes effect.
struct FetchSubmissionMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Submit a request that is due after the given time and replaces the one before; unless it
    /// keeps one that is due by then.
    case submit(after: Duration, keepsPending: Bool)
    /// Cancel the request.
    case cancel
  }

  /// The minimum interval; nil for never.
  private var interval: Duration?
  private var wanted: Action?
  /// A Boolean value that indicates whether a launch has used up the request, and nothing was
  /// submitted or cancelled since.
  private var isUsedUp = false
  /// A Boolean value that indicates whether a task acts.
  private(set) var isActing = false

  /// Records the interval. An application sets it at each launch: a request that replaced the
  /// pending one each time would never be due if the application is opened more often. After a
  /// launch for a task there is none to keep, whatever the scheduler still has in its list.
  ///
  /// - Returns: True if the caller is to act: to perform the actions of ``next()`` until it returns
  ///   nil.
  mutating func setInterval(_ interval: Duration?) -> Bool {
    self.interval = interval
    return want(interval.map { .submit(after: $0, keepsPending: !isUsedUp) } ?? .cancel)
  }

  /// Records that the process was launched, which uses up the request.
  ///
  /// - Returns: True if the caller is to act.
  mutating func launch() -> Bool {
    isUsedUp = true
    guard let interval else { return false }
    return want(.submit(after: interval, keepsPending: false))
  }

  mutating func next() -> Action? {
    let action = wanted.take()
    isActing = action != nil
    if action != nil { isUsedUp = false }
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
