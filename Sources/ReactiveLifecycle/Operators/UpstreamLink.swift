import OpenCombineShim

/// What an operator subscribes to its upstream with; it tells one subscription from the next.
struct UpstreamLink<
  Upstream: Publisher,
  Downstream: Subscriber<Upstream.Output, Upstream.Failure>,
  Machine: OperatorMachine
>: Subscriber
where Machine.Element == Carried<Upstream.Output>, Machine.Failure == Upstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure

  private let conduit: OperatorConduit<Upstream, Downstream, Machine>
  private let number: Int

  init(_ conduit: OperatorConduit<Upstream, Downstream, Machine>, _ number: Int) {
    self.conduit = conduit
    self.number = number
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

  func receive(subscription: any Subscription) {
    conduit.receive(subscription, number)
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    conduit.receive(input, number)
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    conduit.receive(completion, number)
  }
}
