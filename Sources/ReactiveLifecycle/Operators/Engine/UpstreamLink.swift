package import LifecycleCombine

/// The subscriber with which an operator subscribes to its upstream.
///
/// Its number distinguishes one subscription from the next.
package struct UpstreamLink<Input, Failure: Error>: Subscriber {
  private let owner: OperatorSubscription
  private let number: Int

  package init(_ owner: OperatorSubscription, number: Int) {
    self.owner = owner
    self.number = number
  }

  package var combineIdentifier: CombineIdentifier { CombineIdentifier(owner) }

  package func receive(subscription: any Subscription) {
    owner.receive(subscription, from: number)
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    owner.receive(input, from: number)
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: owner.complete(nil, from: number)
    case .failure(let failure): owner.complete(failure, from: number)
    }
  }
}
