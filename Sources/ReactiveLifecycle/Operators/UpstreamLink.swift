import LifecycleCombine

/// What an operator subscribes to its upstream with; it tells one subscription from the next.
struct UpstreamLink<Input, Failure: Error>: Subscriber {
  private let conduit: OperatorConduit
  private let number: Int

  init(_ conduit: OperatorConduit, _ number: Int) {
    self.conduit = conduit
    self.number = number
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

  func receive(subscription: any Subscription) {
    conduit.receive(subscription, number)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    conduit.receive(input, number)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: conduit.complete(nil, number)
    case .failure(let failure): conduit.complete(failure, number)
    }
  }
}
