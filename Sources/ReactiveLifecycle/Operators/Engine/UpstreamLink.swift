import LifecycleCombine

/// The subscriber that an operator subscribes to its upstream with. Its number tells one
/// subscription from the next.
struct UpstreamLink<Input, Failure: Error>: Subscriber {
  private let owner: OperatorSubscription
  private let number: Int

  init(_ owner: OperatorSubscription, number: Int) {
    self.owner = owner
    self.number = number
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(owner) }

  func receive(subscription: any Subscription) {
    owner.receive(subscription, from: number)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    owner.receive(input, from: number)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: owner.complete(nil, from: number)
    case .failure(let failure): owner.complete(failure, from: number)
    }
  }
}
