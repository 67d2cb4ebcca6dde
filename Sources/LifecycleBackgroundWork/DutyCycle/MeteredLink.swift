import LifecycleCombine
import ReactiveLifecycle

/// A subscriber between upstream and an operator, which measures how long upstream is subscribed.
struct MeteredLink<Input, Failure: Error>: Subscriber {
  private let link: UpstreamLink<Input, Failure>
  private let span: DutyCycleMeter.Span

  init(_ link: UpstreamLink<Input, Failure>, _ span: DutyCycleMeter.Span) {
    self.link = link
    self.span = span
  }

  var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  func receive(subscription: any Subscription) {
    link.receive(subscription: MeteredSubscription(subscription, span))
  }

  func receive(_ input: Input) -> Subscribers.Demand { link.receive(input) }

  func receive(completion: Subscribers.Completion<Failure>) {
    span.end()
    link.receive(completion: completion)
  }
}

private final class MeteredSubscription: Subscription {
  private let subscription: any Subscription
  private let span: DutyCycleMeter.Span

  init(_ subscription: any Subscription, _ span: DutyCycleMeter.Span) {
    self.subscription = subscription
    self.span = span
  }

  func request(_ demand: Subscribers.Demand) { subscription.request(demand) }

  func cancel() {
    subscription.cancel()
    span.end()
  }
}
