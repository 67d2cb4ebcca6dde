public import LifecycleCombine
import LifecycleSupport
import Testing

/// An upstream that sends what a test tells it to, and traces what an operator does with it.
///
/// It sends to whom a test says, also when it was cancelled or not asked for anything.
public final class ProbePublisher: Publisher, Sendable {
  public typealias Output = ProbeValue
  public typealias Failure = ProbeFailure

  private let trace: Trace
  private let subscriptions = Locked<[ProbeSubscription]>([])
  private let hooks = Locked(Hooks())

  /// What happens inside of calls of the publisher.
  public struct Hooks: Sendable {
    /// Before the subscriber gets its subscription.
    public var subscribe: @Sendable (ProbeSubscription) -> Void = { _ in }
    /// Whether the subscription comes with `subscribe`.
    public var isLate = false
    public var request: @Sendable (ProbeSubscription) -> Void = { _ in }
    public var cancel: @Sendable (ProbeSubscription) -> Void = { _ in }

    public init() {}
  }

  public init(_ trace: Trace) {
    self.trace = trace
  }

  public func hook(_ change: @Sendable (inout Hooks) -> Void) {
    hooks.withLock { change(&$0) }
  }

  /// The subscriptions that were made, the first of which has the number 1. A missing one is reported
  /// and sends to no one, so that the other tests continue.
  public subscript(number: Int) -> ProbeSubscription {
    let made = subscriptions.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
    if let made { return made }
    Issue.record("There is no subscription \(number).")
    return ProbeSubscription(number, trace, Hooks(), AnySubscriber())
  }

  public var count: Int { subscriptions.withLock { $0.count } }

  /// Those that have been neither cancelled nor completed.
  public var liveCount: Int { subscriptions.withLock { $0.filter(\.isLive).count } }

  /// Sends to the latest subscription.
  @discardableResult
  public func send(_ number: Int) -> Subscribers.Demand { self[count].send(ProbeValue(number)) }

  public func send(completion: Subscribers.Completion<ProbeFailure>) {
    self[count].complete(completion)
  }

  public func forgetSubscribers() {
    let all = subscriptions.withLock { all in
      defer { all = [] }
      return all
    }
    for subscription in all { subscription.forget() }
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == ProbeValue, Downstream.Failure == ProbeFailure {
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
public struct ProbeValue: Sendable, Equatable {
  public let number: Int
  public let canary: Canary?

  public init(_ number: Int, _ canary: Canary? = nil) {
    self.number = number
    self.canary = canary
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
}

/// The failure of a `ProbePublisher`.
public enum ProbeFailure: Error { case broken }
