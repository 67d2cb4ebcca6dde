import LifecycleCombine
import ReactiveLifecycle

/// The least that a subscriber can be.
final class CountingSubscriber: Subscriber, Cancellable {
  private let tally: Tally
  private var subscription: (any Subscription)?

  init(of publisher: some Publisher<LifecycleEvent, Never>, _ tally: Tally) {
    self.tally = tally
    publisher.subscribe(self)
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ event: LifecycleEvent) -> Subscribers.Demand {
    tally.add()
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}

  func cancel() { subscription?.cancel() }
}
