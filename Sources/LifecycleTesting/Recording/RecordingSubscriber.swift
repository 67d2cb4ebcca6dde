import LifecycleCombine

/// A subscriber that passes its input to a recorder.
final class RecordingSubscriber<Input, Failure: Error>: Subscriber {
  private let core: RecorderCore<Input, Failure>

  init(_ core: RecorderCore<Input, Failure>) {
    self.core = core
  }

  func receive(subscription: any Subscription) {
    core.receive(subscription: subscription)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    core.receive(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    core.receive(completion: completion)
  }
}
