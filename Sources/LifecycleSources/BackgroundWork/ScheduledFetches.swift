import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// The fetches of a scheduler that launches the process for each request that it was given, as
/// `BGTaskScheduler` does: when to submit what, and completions that reach it exactly once.
final class ScheduledFetches: Sendable {
  private let deadline: Duration
  private let submit: @Sendable (_ delay: Duration) throws -> Void
  private let cancel: @Sendable () -> Void
  private let onSubmitError: @Sendable (any Error) -> Void
  private let requests = FetchRequests()
  private let submissions = Locked(FetchSubmissionMachine())

  /// - Parameters:
  ///   - deadline: How much time each fetch has.
  ///   - submit: Submits a request, in the place of the one before. Never called by two threads at a
  ///     time; nor is `cancel`, which takes it back, nor `onSubmitError`.
  init(
    deadline: Duration,
    submit: @escaping @Sendable (_ delay: Duration) throws -> Void,
    cancel: @escaping @Sendable () -> Void,
    onSubmitError: @escaping @Sendable (any Error) -> Void
  ) {
    self.deadline = deadline
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

  /// The process was launched for a task.
  ///
  /// - Parameters:
  ///   - prepare: Is given what the task's expiration is to call, before anybody can complete it.
  ///   - complete: Completes the task, with success or without. Called once, on any thread.
  func launch(
    prepare: (_ onExpiration: @escaping @Sendable () -> Void) -> Void,
    complete: @escaping @Sendable (_ isSuccess: Bool) -> Void
  ) {
    // First: once the task is complete, the process may be suspended.
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
