import LifecycleCombine
import LifecycleSupport
import ReactiveLifecycle
import TestSupport

enum ProbeFailure: Error { case broken }

/// An upstream that sends what a test tells it to, and traces what an operator does with it.
///
/// It sends to whom a test says, also when it was cancelled or not asked for anything.
final class ProbePublisher: Publisher, Sendable {
  typealias Output = Probe
  typealias Failure = ProbeFailure

  private let trace: Trace
  private let subscriptions = Locked<[ProbeSubscription]>([])
  private let hooks = Locked(Hooks())

  /// What happens inside of calls of the publisher.
  struct Hooks: Sendable {
    /// Before the subscriber gets its subscription.
    var subscribe: @Sendable (ProbeSubscription) -> Void = { _ in }
    /// Whether the subscription comes with `subscribe`.
    var isLate = false
    var request: @Sendable (ProbeSubscription) -> Void = { _ in }
    var cancel: @Sendable (ProbeSubscription) -> Void = { _ in }
  }

  init(_ trace: Trace) {
    self.trace = trace
  }

  func hook(_ change: @Sendable (inout Hooks) -> Void) {
    hooks.withLock { change(&$0) }
  }

  /// The subscriptions that were made, the first of which has the number 1.
  subscript(number: Int) -> ProbeSubscription { subscriptions.withLock { $0[number - 1] } }

  var count: Int { subscriptions.withLock { $0.count } }

  /// Those that have been neither cancelled nor completed.
  var liveCount: Int { subscriptions.withLock { $0.filter(\.isLive).count } }

  /// Sends to the latest subscription.
  @discardableResult
  func send(_ number: Int) -> Subscribers.Demand { self[count].send(Probe(number)) }

  func send(completion: Subscribers.Completion<ProbeFailure>) { self[count].complete(completion) }

  func forgetSubscribers() {
    let all = subscriptions.withLock { all in
      defer { all = [] }
      return all
    }
    for subscription in all { subscription.forget() }
  }

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Probe, Downstream.Failure == ProbeFailure {
    let hooks = hooks.withLock { $0 }
    let subscription = subscriptions.withLock { all in
      all.append(ProbeSubscription(all.count + 1, trace, hooks, AnySubscriber(subscriber)))
      return all.last!
    }
    trace("subscribe \(subscription.number)")
    hooks.subscribe(subscription)
    if !hooks.isLate { subscription.begin() }
  }
}

/// A value that traces can show, and whose release can be noticed.
struct Probe: Sendable, Equatable {
  let number: Int
  let canary: Canary?

  init(_ number: Int, _ canary: Canary? = nil) {
    self.number = number
    self.canary = canary
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
}

/// `@unchecked Sendable`: the subscriber is guarded by the lock; what it does with calls from
/// several threads is what the tests look at.
final class ProbeSubscription: Subscription, @unchecked Sendable {
  private struct State {
    var subscriber: AnySubscriber<Probe, ProbeFailure>?
    var asked = Subscribers.Demand.none
    var isLive = true
  }

  let number: Int
  private let trace: Trace
  private let hooks: ProbePublisher.Hooks
  private let state: Locked<UncheckedBox<State>>

  init(
    _ number: Int,
    _ trace: Trace,
    _ hooks: ProbePublisher.Hooks,
    _ subscriber: AnySubscriber<Probe, ProbeFailure>
  ) {
    self.number = number
    self.trace = trace
    self.hooks = hooks
    state = Locked(UncheckedBox(State(subscriber: subscriber)))
  }

  private func subscriber() -> AnySubscriber<Probe, ProbeFailure>? {
    state.withLock { UncheckedBox($0.value!.subscriber) }.value ?? nil
  }

  var isLive: Bool { state.withLock { $0.value!.isLive } }
  /// What is asked for and not sent.
  var asked: Subscribers.Demand { state.withLock { $0.value!.asked } }

  func begin() { subscriber()?.receive(subscription: self) }

  @discardableResult
  func send(_ value: Probe) -> Subscribers.Demand {
    state.withLock { if $0.value!.asked > .none { $0.value!.asked -= 1 } }
    let more = subscriber()?.receive(value) ?? .none
    if more > .none {
      trace("more \(more)")
      state.withLock { $0.value!.asked += more }
    }
    return more
  }

  func complete(_ completion: Subscribers.Completion<ProbeFailure>) {
    state.withLock { $0.value!.isLive = false }
    subscriber()?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    trace("ask \(demand)")
    state.withLock { $0.value!.asked += demand }
    hooks.request(self)
  }

  func cancel() {
    trace("cancel \(number)")
    state.withLock { $0.value!.isLive = false }
    hooks.cancel(self)
  }

  func forget() {
    _ = state.withLock { state in
      defer { state.value!.subscriber = nil }
      return UncheckedBox(state.value!.subscriber)
    }
  }
}
