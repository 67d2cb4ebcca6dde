import LifecycleCombine
import ReactiveLifecycle

/// "Any other subscriber": the least that asks for everything and counts.
public final class CountingSubscriber: Subscriber {
  private let slot: CallSlot
  private var subscription: (any Subscription)?

  /// A subscriber that counts in the slot.
  public init(_ slot: CallSlot) {
    self.slot = slot
  }

  public func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  public func receive(_ input: LifecycleEvent) -> Subscribers.Demand {
    slot.increment()
    return .none
  }

  public func receive(completion: Subscribers.Completion<Never>) {
    subscription = nil
  }
}
