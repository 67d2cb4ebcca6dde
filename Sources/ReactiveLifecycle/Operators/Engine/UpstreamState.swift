package import LifecycleCombine

/// The upstream side of an operator: the current subscription, and the number of values it owes.
package struct UpstreamState: Sendable {
  private enum State { case closed, awaitingSubscription, subscribed }

  private var state = State.closed
  /// The number of the latest subscription.
  ///
  /// Values and completions of earlier subscriptions are ignored.
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

  /// Accepts the subscription with a number. Returns the demand to request from it; nil if it
  /// arrives too late.
  package mutating func connect(_ number: Int) -> Subscribers.Demand? {
    guard number == self.number, state == .awaitingSubscription else { return nil }
    state = .subscribed
    return owed
  }

  /// Adds to the demand. Returns the demand to request from the subscription now.
  package mutating func request(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    guard owed < .unlimited else { return .none }
    owed += demand
    return state == .subscribed ? demand : .none
  }

  /// Accepts a value of the subscription with a number.
  ///
  /// - Returns: False if that subscription has ended or has been replaced.
  package mutating func receiveValue(from number: Int) -> Bool {
    guard number == self.number, state == .subscribed else { return false }
    if owed > .none { owed -= 1 }
    return true
  }

  /// Accepts the completion of the subscription with a number.
  ///
  /// - Returns: False if that subscription has ended or has been replaced.
  package mutating func complete(_ number: Int) -> Bool {
    number == self.number && close()
  }

  /// Ends the subscription.
  ///
  /// - Returns: False if there was none.
  package mutating func close() -> Bool {
    defer { state = .closed }
    return state != .closed
  }
}
