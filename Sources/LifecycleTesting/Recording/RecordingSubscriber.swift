import OpenCombineShim

/// Subscribes for a recorder.
final class RecordingSubscriber<Input, Failure: Error>: Subscriber {
  private let core: RecorderCore<Input, Failure>
  private let demand: Subscribers.Demand

  init(_ core: RecorderCore<Input, Failure>, _ demand: Subscribers.Demand) {
    self.core = core
    self.demand = demand
  }

  func receive(subscription: any Subscription) {
    core.receive(subscription: subscription, demand: demand)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    core.receive(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    core.receive(completion: completion)
  }
}
