/// One request for an exit, until its sender has the outcome.
final class ExitCaller: Sendable {
  /// The request as the first observer would receive it.
  let request: LifecycleExitRequest
  private let alarm: Alarm
  private let completion: @Sendable (LifecycleExitOutcome) -> Void

  init(
    _ request: LifecycleExitRequest,
    clock: any LifecycleClock,
    completion: @escaping @Sendable (LifecycleExitOutcome) -> Void
  ) {
    self.request = request
    alarm = Alarm(clock)
    self.completion = completion
  }

  /// Calls `body` at the deadline, unless the request is complete by then.
  func set(for deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void) {
    alarm.set(for: deadline, body)
  }

  func complete(with outcome: LifecycleExitOutcome) {
    alarm.end()
    completion(outcome)
  }
}
