public import LifecycleCombine
import LifecycleSupport

/// `@unchecked Sendable`: the subscriber is guarded by the lock; what it does with calls from
/// several threads is what the tests look at.
public final class ProbeSubscription: Subscription, @unchecked Sendable {
  private struct State {
    var subscriber: AnySubscriber<ProbeValue, ProbeFailure>?
    var asked = Subscribers.Demand.none
    var isLive = true
  }

  public let number: Int
  private let trace: Trace
  private let hooks: ProbePublisher.Hooks
  private let state: Locked<UncheckedBox<State>>

  init(
    _ number: Int,
    _ trace: Trace,
    _ hooks: ProbePublisher.Hooks,
    _ subscriber: AnySubscriber<ProbeValue, ProbeFailure>
  ) {
    self.number = number
    self.trace = trace
    self.hooks = hooks
    state = Locked(UncheckedBox(State(subscriber: subscriber)))
  }

  private func subscriber() -> AnySubscriber<ProbeValue, ProbeFailure>? {
    state.withLock { UncheckedBox($0.value!.subscriber) }.value ?? nil
  }

  public var isLive: Bool { state.withLock { $0.value!.isLive } }
  /// What is asked for and not sent.
  public var asked: Subscribers.Demand { state.withLock { $0.value!.asked } }

  public func begin() { subscriber()?.receive(subscription: self) }

  @discardableResult
  public func send(_ value: ProbeValue) -> Subscribers.Demand {
    state.withLock { if $0.value!.asked > .none { $0.value!.asked -= 1 } }
    let more = subscriber()?.receive(value) ?? .none
    if more > .none {
      trace("more \(more)")
      state.withLock { $0.value!.asked += more }
    }
    return more
  }

  public func complete(_ completion: Subscribers.Completion<ProbeFailure>) {
    state.withLock { $0.value!.isLive = false }
    subscriber()?.receive(completion: completion)
  }

  public func request(_ demand: Subscribers.Demand) {
    trace("ask \(demand)")
    state.withLock { $0.value!.asked += demand }
    hooks.request(self)
  }

  public func cancel() {
    trace("cancel \(number)")
    state.withLock { $0.value!.isLive = false }
    hooks.cancel(self)
  }

  public func forget() {
    _ = state.withLock { state in
      defer { state.value!.subscriber = nil }
      return UncheckedBox(state.value!.subscriber)
    }
  }
}
