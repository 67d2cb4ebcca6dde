import LifecycleCombine

/// The rules of the Combine protocol for the next call of a publisher.
struct RecorderMachine {
  /// A violation of the Combine protocol by a publisher.
  enum Breach: Hashable, CaseIterable {
    case secondSubscription
    case valueBeforeSubscription
    case completionBeforeSubscription
    case unrequestedValue
    case valueAfterCompletion
    case secondCompletion
  }

  private enum Phase {
    case unsubscribed, subscribed, completed
  }

  private var phase = Phase.unsubscribed
  /// The number of values that were requested and have not arrived.
  private(set) var demand = Subscribers.Demand.none

  mutating func subscribe() -> Breach? {
    guard phase == .unsubscribed else { return .secondSubscription }
    phase = .subscribed
    return nil
  }

  mutating func request(_ more: Subscribers.Demand) {
    demand += more
  }

  mutating func receive() -> Breach? {
    switch phase {
    case .unsubscribed: return .valueBeforeSubscription
    case .completed: return .valueAfterCompletion
    case .subscribed: break
    }
    guard demand > .none else { return .unrequestedValue }
    demand -= 1
    return nil
  }

  mutating func complete() -> Breach? {
    switch phase {
    case .unsubscribed: return .completionBeforeSubscription
    case .completed: return .secondCompletion
    case .subscribed:
      phase = .completed
      return nil
    }
  }
}

extension RecorderMachine.Breach: CustomStringConvertible {
  var description: String {
    switch self {
    case .secondSubscription: "sent a second subscription"
    case .valueBeforeSubscription: "sent a value before the subscription"
    case .completionBeforeSubscription: "completed before the subscription"
    case .unrequestedValue: "sent a value that was not requested"
    case .valueAfterCompletion: "sent a value after its completion"
    case .secondCompletion: "completed a second time"
    }
  }
}
