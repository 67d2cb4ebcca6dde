import EventCounts

extension Scenario {
  /// Does what the scenario's name says, `count` times.
  func perform(_ count: Int) -> Performance {
    switch self {
    case .event1Closure: deliver(count, to: Audience(.token, 1))
    case .event1ClosureRealClock: deliverWithRealClock(count, to: Audience(.token, 1))
    case .event1ClosureRecorded: deliverRecorded(count, to: Audience(.token, 1))
    case .event100Closures: deliver(count, to: Audience(.token, 100))
    case .event100ClosuresNonisolatedBus: deliverOnNonisolatedBus(count, observers: 100)
    case .event100Scoped: deliver(count, to: Audience(.scoped, 100))
    case .event100Owners: deliver(count, to: Audience(.owner, 100))
    case .event100Sinks: deliver(count, to: Audience(.sink, 100))
    case .event100Subscribers: deliver(count, to: Audience(.subscriber, 100))
    case .event100FilteredOut: deliverPast(count, Audience(.filteredOut, 100))
    case .transition100Closures: deliverTransitions(count, to: Audience(.token, 100))
    case .suppressedInput100Closures: suppress(count, before: Audience(.token, 100))
    case .eventToChild1Closure: deliverToChild(count)
    case .valueThroughGate:
      sendValues(count) {
        $0.gate(.atLeast(.active), of: $1, buffering: .drop).eraseToAnyPublisher()
      }
    case .valueThroughFilter:
      sendValues(count) { $0.filter { [bus = $1] _ in bus.phase >= .active }.eraseToAnyPublisher() }
    case .valueKeptByGate: keepValues(count)
    case .valueInStay: sendValuesInStays(count)

    case .subscribeToken: subscribe(count, .token)
    case .subscribeTokenFirstOut: subscribeFirstOut(count, .token)
    case .subscribeScoped: subscribe(count, .scoped)
    case .subscribeOwner: subscribe(count, .owner)
    case .subscribeSink: subscribe(count, .sink)

    case .reportsPerObserver: report(beside: count)
    case .fullHistory: askHistory(count)
    case .scopeMembers: fillScope(count)
    case .comparedKinds: compareKinds(count)
    case .drawTimeline: drawRecords(count)

    case .liveToken: holdLive(count, .token)
    case .liveScoped: holdLive(count, .scoped)
    case .liveOwner: holdLive(count, .owner)
    case .liveSink: holdLive(count, .sink)
    case .heldSink: holdCompletedSinks(count)
    case .liveName: holdNames(count)

    case .startCountdown: startCountdowns(count)
    case .tickCountdown: tick(count)
    case .liveCountdown: holdCountdowns(count)

    case .launch: preconditionFailure("check-counts runs small-client for it.")
    }
  }
}
