import ReactiveLifecycle

/// Knows what a publisher may do next under the Combine protocol.
struct RecorderMachine {
  /// What a publisher must not do.
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
  /// The number of values that were requested and have not come; nil if it is unlimited.
  private var outstanding: Int? = 0

  /// What was requested and has not come.
  var demand: Subscribers.Demand { outstanding.map { .max($0) } ?? .unlimited }

  mutating func subscribe() -> Breach? {
    guard phase == .unsubscribed else { return .secondSubscription }
    phase = .subscribed
    return nil
  }

  mutating func request(_ more: Subscribers.Demand) {
    outstanding = if let outstanding, let more = more.max { outstanding + more } else { nil }
  }

  mutating func receive() -> Breach? {
    switch phase {
    case .unsubscribed: return .valueBeforeSubscription
    case .completed: return .valueAfterCompletion
    case .subscribed: break
    }
    guard outstanding != 0 else { return .unrequestedValue }
    outstanding = outstanding.map { $0 - 1 }
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
