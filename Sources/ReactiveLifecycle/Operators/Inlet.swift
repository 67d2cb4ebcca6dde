import LifecycleCombine

/// The upstream side of an operator: which subscription counts, and how much upstream owes.
struct Inlet: Sendable {
  private enum State { case closed, awaitingSubscription, subscribed }

  private var state = State.closed
  /// The number of the latest subscription. What an earlier one sends does not count.
  private(set) var number = 0
  /// How much downstream has asked for, less what upstream has sent.
  private(set) var owed = Subscribers.Demand.none

  /// Whether the latest subscription has come, and counts.
  var isConnected: Bool { state == .subscribed }

  /// Begins to subscribe. Returns the number of the subscription.
  mutating func open() -> Int {
    precondition(state == .closed, "An operator has one upstream subscription at a time.")
    number += 1
    state = .awaitingSubscription
    return number
  }

  /// Takes in the subscription of that number. Returns what to ask of it; nil if it comes too late.
  mutating func connect(_ number: Int) -> Subscribers.Demand? {
    guard number == self.number, state == .awaitingSubscription else { return nil }
    state = .subscribed
    return owed
  }

  /// Takes note that more is wanted. Returns what to ask of the subscription now.
  mutating func ask(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    guard owed < .unlimited else { return .none }
    owed += demand
    return state == .subscribed ? demand : .none
  }

  /// Takes in a value of the subscription of that number, unless it no longer counts.
  mutating func take(from number: Int) -> Bool {
    guard number == self.number, state == .subscribed else { return false }
    if owed > .none { owed -= 1 }
    return true
  }

  /// Takes in the completion of the subscription of that number, unless it no longer counts.
  mutating func complete(_ number: Int) -> Bool {
    number == self.number && close()
  }

  /// Ends the subscription. Returns whether there was one.
  mutating func close() -> Bool {
    defer { state = .closed }
    return state != .closed
  }
}
