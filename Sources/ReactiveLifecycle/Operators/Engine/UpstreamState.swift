package import LifecycleCombine

/// The upstream side of an operator: the current subscription, and how many values it still owes.
package struct UpstreamState: Sendable {
  private enum State { case closed, awaitingSubscription, subscribed }

  private var state = State.closed
  /// The number of the latest subscription. Whatever an earlier one sends is ignored.
  package private(set) var number = 0
  /// The demand of downstream that upstream has not met.
  package private(set) var owed = Subscribers.Demand.none

  /// A Boolean value that indicates whether the latest subscription has arrived and has not ended.
  package var isConnected: Bool { state == .subscribed }

  package init() {}

  /// Begins to subscribe. Returns the number of the subscription.
  package mutating func open() -> Int {
    precondition(state == .closed, "An operator has one upstream subscription at a time.")
    number += 1
    state = .awaitingSubscription
    return number
  }

  /// Accepts the subscription of that number. Returns the demand to request of it; nil if it comes
  /// too late.
  package mutating func connect(_ number: Int) -> Subscribers.Demand? {
    guard number == self.number, state == .awaitingSubscription else { return nil }
    state = .subscribed
    return owed
  }

  /// Adds to the demand. Returns what to request of the subscription now.
  package mutating func request(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    guard owed < .unlimited else { return .none }
    owed += demand
    return state == .subscribed ? demand : .none
  }

  /// Accepts a value of the subscription of that number, unless that one has been replaced.
  package mutating func receiveValue(from number: Int) -> Bool {
    guard number == self.number, state == .subscribed else { return false }
    if owed > .none { owed -= 1 }
    return true
  }

  /// Accepts the completion of the subscription of that number, unless that one has been replaced.
  package mutating func complete(_ number: Int) -> Bool {
    number == self.number && close()
  }

  /// Ends the subscription. Returns whether there was one.
  package mutating func close() -> Bool {
    defer { state = .closed }
    return state != .closed
  }
}
