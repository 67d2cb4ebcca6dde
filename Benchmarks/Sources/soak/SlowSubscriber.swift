import LifecycleCombine
import ReactiveLifecycle
import Synchronization

/// A subscriber that requests a few values now and then, from any thread (G10).
final class SlowSubscriber<Input: Sendable>: Subscriber, Sendable {
  typealias Failure = Never

  private struct State {
    var subscription: UncheckedSubscription?
    var isUnlimited = false
    var requested = 0
    var received = 0
    var last: Input?
    var isFinished = false
  }

  /// `@unchecked Sendable`: the bus's subscriptions can be used on any thread.
  private struct UncheckedSubscription: @unchecked Sendable {
    let value: any Subscription
  }

  private let state = Mutex(State())
  private let faults: Faults
  private let onValue: @Sendable (Input) -> Void
  private let onCompletion: @Sendable () -> Void

  init(
    _ faults: Faults,
    onValue: @escaping @Sendable (Input) -> Void,
    onCompletion: @escaping @Sendable () -> Void
  ) {
    self.faults = faults
    self.onValue = onValue
    self.onCompletion = onCompletion
  }

  var last: Input? { state.withLock { $0.last } }
  var isFinished: Bool { state.withLock { $0.isFinished } }

  func receive(subscription: any Subscription) {
    let subscription = UncheckedSubscription(value: subscription)
    state.withLock { $0.subscription = subscription }
  }

  /// Requests values.
  ///
  /// - Parameter count: The number of values; nil for all that are left.
  func request(_ count: Int?) {
    let subscription = state.withLock { state in
      if let count { state.requested += count } else { state.isUnlimited = true }
      return state.subscription
    }
    subscription?.value.request(count.map { .max($0) } ?? .unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let more = state.withLock { state in
      state.received += 1
      faults.check(
        .backPressure,
        state.isUnlimited || state.received <= state.requested,
        "received value \(state.received) of \(state.requested) that were requested"
      )
      let more = state.received % 3 == 0 ? 1 : 0
      state.requested += more
      state.last = input
      return more
    }
    let isLost = faults.makes(.backlog) && state.withLock { $0.received } == 2
    if !isLost { onValue(input) }
    return .max(more)
  }

  func receive(completion: Subscribers.Completion<Never>) {
    state.withLock { state in
      state.isFinished = true
      state.subscription = nil
    }
    onCompletion()
  }
}
