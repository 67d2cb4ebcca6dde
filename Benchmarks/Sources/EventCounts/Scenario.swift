import ArgumentParser

/// What `check-counts` counts: what `count-events` can do, and the launch of `small-client`.
package enum Scenario: String, CaseIterable, ExpressibleByArgument, Sendable {
  case event1Closure = "event-1-closure"
  case event1ClosureRealClock = "event-1-closure-real-clock"
  case event1ClosureRecorded = "event-1-closure-recorded"
  case event100Closures = "event-100-closures"
  case event100ClosuresNonisolatedBus = "event-100-closures-nonisolated-bus"
  case event100Scoped = "event-100-scoped"
  case event100Owners = "event-100-owners"
  case event100Sinks = "event-100-sinks"
  case event100Subscribers = "event-100-subscribers"
  case event100FilteredOut = "event-100-filtered-out"
  case transition100Closures = "transition-100-closures"
  case suppressedInput100Closures = "suppressed-input-100-closures"
  case eventToChild1Closure = "event-to-child-1-closure"
  case valueThroughGate = "value-through-gate"
  /// What people write by hand instead of a gate.
  case valueThroughFilter = "value-through-filter"
  case valueKeptByGate = "value-kept-by-gate"
  case valueInStay = "value-in-stay"

  case subscribeToken = "subscribe-token"
  case subscribeTokenFirstOut = "subscribe-token-first-out"
  case subscribeScoped = "subscribe-scoped"
  case subscribeOwner = "subscribe-owner"
  case subscribeSink = "subscribe-sink"

  case reportsPerObserver = "reports-per-observer"
  case fullHistory = "full-history"
  case scopeMembers = "scope-members"
  case comparedKinds = "compared-kinds"
  case drawTimeline = "draw-timeline"

  case liveToken = "live-token"
  case liveScoped = "live-scoped"
  case liveOwner = "live-owner"
  case liveSink = "live-sink"
  case heldSink = "held-sink"
  case liveName = "live-name"

  case startCountdown = "start-countdown"
  case tickCountdown = "tick-countdown"
  case liveCountdown = "live-countdown"

  /// The start of `small-client`.
  case launch = "launch"
}

extension Scenario {
  /// What there are `count` of.
  package enum Unit: Sendable {
    case deliveredEvent
    /// A value of another publisher, through an operator.
    case deliveredValue
    /// A value that an operator does not pass on at once.
    case keptValue
    /// A value of those that come in a stay in the background.
    case valueInStay
    case suppressedInput
    /// One subscription and its cancellation.
    case subscription
    case liveObserver
    /// One observer, beside which what depends on their number is done once.
    case countedObserver
    /// One member of each kind.
    case scopeMembers
    /// One of each question.
    case questions
    case comparison
    case record
    /// A subscription that has ended, and that a scope still holds.
    case heldSubscription
    case liveName
    /// One countdown started and cancelled.
    case countdown
    /// One tick, and what it takes to come to the next.
    case tick
    case liveCountdown
    case launch
  }

  /// What the counts are divided by.
  package var unit: Unit {
    switch self {
    case .event1Closure, .event1ClosureRealClock, .event1ClosureRecorded, .event100Closures,
      .event100ClosuresNonisolatedBus, .event100Scoped, .event100Owners, .event100Sinks,
      .event100Subscribers, .event100FilteredOut, .transition100Closures, .eventToChild1Closure:
      .deliveredEvent
    case .valueThroughGate, .valueThroughFilter: .deliveredValue
    case .valueKeptByGate: .keptValue
    case .valueInStay: .valueInStay
    case .suppressedInput100Closures: .suppressedInput
    case .subscribeToken, .subscribeTokenFirstOut, .subscribeScoped, .subscribeOwner,
      .subscribeSink:
      .subscription
    case .reportsPerObserver: .countedObserver
    case .fullHistory: .questions
    case .scopeMembers: .scopeMembers
    case .comparedKinds: .comparison
    case .drawTimeline: .record
    case .liveToken, .liveScoped, .liveOwner, .liveSink: .liveObserver
    case .heldSink: .heldSubscription
    case .liveName: .liveName
    case .startCountdown: .countdown
    case .tickCountdown: .tick
    case .liveCountdown: .liveCountdown
    case .launch: .launch
    }
  }

  /// A part of the name of the function that performs a scenario.
  package static let countedFunction = "performCounted"

  /// The program that is run.
  package var program: String { self == .launch ? "small-client" : "count-events" }

  /// How many there are in the smaller of the two runs.
  package var count: Int {
    switch unit {
    case .deliveredEvent, .deliveredValue, .suppressedInput, .comparison, .tick: 500
    // The number is also the size of what is measured: a cost that grows with it, by as little as
    // an instruction for each, would show.
    case .keptValue, .valueInStay, .countedObserver, .record, .liveName, .heldSubscription:
      1_024
    case .scopeMembers: 128
    case .questions: 50
    case .subscription, .countdown: 2_000
    // A power of two: the arrays that hold observers are full in both runs, and count as one slot
    // an observer.
    case .liveObserver, .liveCountdown: 8_192
    case .launch: 1
    }
  }

  /// What is counted.
  package var quantities: [Quantity] {
    switch unit {
    case .liveObserver, .heldSubscription, .liveCountdown: [.bytes]
    case .liveName: [.instructions, .bytes]
    // No number of allocations is promised.
    case .keptValue, .valueInStay, .countedObserver, .scopeMembers, .questions, .comparison,
      .record:
      [.instructions]
    case .launch: [.instructions, .libraries, .memory]
    default: [.instructions, .allocations]
    }
  }

  /// What the project has promised, whatever was saved.
  package func limit(of quantity: Quantity) -> Double? {
    switch (self, quantity) {
    case (_, .allocations) where unit == .deliveredEvent || unit == .deliveredValue: 0
    case (.liveToken, .bytes), (.liveCountdown, .bytes): 200
    case (.liveScoped, .bytes): 260
    case (.liveSink, .bytes): 525
    case (.heldSink, .bytes): 450
    case (.liveName, .bytes): 150
    default: nil
    }
  }
}
