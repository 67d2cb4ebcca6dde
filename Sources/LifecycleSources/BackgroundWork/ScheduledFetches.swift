import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// The fetches of a scheduler that launches the process for each request, as `BGTaskScheduler`
/// does.
///
/// Determines what to submit and when, and passes each completion to the scheduler exactly once.
final class ScheduledFetches: Sendable {
  private let deadline: Duration
  private let submit: @Sendable (_ delay: Duration) throws -> Void
  private let cancel: @Sendable () -> Void
  private let onSubmitError: @Sendable (any Error) -> Void
  private let requests: FetchRequests
  private let submissions = Locked(FetchSubmissionMachine())

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
    requests = FetchRequests(site)
    self.submit = submit
    self.cancel = cancel
    self.onSubmitError = onSubmitError
  }

  func setInterval(_ interval: Duration?) {
    if submissions.withLock({ $0.setInterval(interval) }) { act() }
  }

  func setHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    requests.setHandler(handler)
  }

  /// Handles a launch of the process for a task.
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
    requests.begin(deadline: deadline) { request in
      prepare { request.expire() }
    } completion: { result in
      complete(result != .failed)
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
