import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A bus that would feed itself would pass on a notice for ever.
@MainActor
@Suite("Buses as sources: cycles")
struct BusCycleTests {
  @Test(
    "A cycle of one, two and three buses is refused, and leaves nothing behind",
    arguments: [1, 2, 3]
  )
  func cyclesAreRefused(_ length: Int) throws {
    let clock = ManualClock()
    let buses = (0..<length).map { _ in NonisolatedLifecycleBus(clock: clock) }
    var connections: [LifecycleCancellable] = []
    for index in buses.indices.dropLast() {
      connections.append(try buses[index + 1].connect(.bus(buses[index]), as: .ceiling))
    }
    let first = buses[0]
    let last = buses[length - 1]
    let subscriptions = last.liveSubscriptions
    for role in [LifecycleRole.ceiling, .presence, .participant("window")] {
      #expect(throws: LifecycleBusCycleError.self) { try first.connect(.bus(last), as: role) }
    }
    expectNoDifference(last.liveSubscriptions.count, subscriptions.count)
    expectNoDifference(first.diagnostics.ceilings, [])
    expectNoDifference(first.diagnostics.participants, [])
    let trace = Trace()
    let token = last.addObserver { trace($0.line) }
    first.send(.systemDidWake)
    expectNoDifference(trace.lines.count, 1)
    // Refused only while the cycle would be one.
    for connection in connections { connection.cancel() }
    if length > 1 {
      let back = try first.connect(.bus(last), as: .ceiling)
      last.send(.didFinishLaunching)
      expectNoDifference(first.phase, .background)
      back.cancel()
    }
    token.cancel()
    withExtendedLifetime(buses) {}
  }

  @Test("However many ways there are from one bus to another, each bus is looked at once")
  func manyWaysBetweenBuses() throws {
    let clock = ManualClock()
    let buses = (0...60).map { _ in NonisolatedLifecycleBus(clock: clock) }
    let connections = LifecycleScope()
    // Two ways from each to the next are 2^60 from the first to the last: looking at all of them
    // would not end.
    for (bus, next) in zip(buses, buses.dropFirst()) {
      for name in ["left", "right"] as [LifecycleParticipant] {
        try next.connect(.bus(bus), as: .participant(name)).store(in: connections)
      }
    }
    #expect(throws: LifecycleBusCycleError.self) { try buses[0].connect(.bus(buses[60])) }
    withExtendedLifetime((buses, connections)) {}
  }

  @Test("The error says what is wrong")
  func errorSaysWhatIsWrong() {
    let bus = LifecycleBus()
    do {
      try bus.connect(.bus(bus)).cancel()
      Issue.record("a bus is its own source")
    } catch {
      expectNoDifference(
        "\(error)",
        """
        A bus can't be its own source: it already feeds, directly or through other buses, the bus \
        that was passed as its source. Connect the two in one direction only.
        """
      )
    }
  }

  @Test("Two ways from one bus to another are no cycle; a notice takes both")
  func twoWaysBetweenBusesAreNoCycle() throws {
    let buses = (0..<4).map { _ in NonisolatedLifecycleBus(clock: ManualClock()) }
    let connections = [
      try buses[1].connect(.bus(buses[0]), as: .ceiling),
      try buses[2].connect(.bus(buses[0]), as: .ceiling),
      try buses[3].connect(.bus(buses[1]), as: .ceiling),
      try buses[3].connect(.bus(buses[2]), as: .ceiling),
    ]
    let trace = Trace()
    let token = buses[3].addObserver { trace($0.kind.rawValue) }
    buses[0].send(.systemDidWake)
    expectNoDifference(trace.take(), ["systemDidWake", "systemDidWake"])
    buses[0].send(.didBecomeActive)
    expectNoDifference(trace.lines, ["willEnterForeground", "didBecomeActive"])
    expectNoDifference(buses[3].phase, .active)
    token.cancel()
    #expect(throws: LifecycleBusCycleError.self) { try buses[0].connect(.bus(buses[3])) }
    for connection in connections { connection.cancel() }
  }

  @Test("The same bus twice, as one participant: each event once, until the second connection goes")
  func sameBusTwice() throws {
    let clock = ManualClock()
    let window = NonisolatedLifecycleBus(clock: clock)
    let bus = NonisolatedLifecycleBus(clock: clock)
    let connections = [
      try bus.connect(.bus(window, name: "one"), as: .participant("window")),
      try bus.connect(.bus(window, name: "two"), as: .participant("window")),
    ]
    bus.send(.didFinishLaunching)
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    window.send(.didBecomeActive)
    connections[0].cancel()
    // Still fed by the second, so still no source for it.
    #expect(throws: LifecycleBusCycleError.self) { try window.connect(.bus(bus)) }
    window.send(.willResignActive)
    connections[1].cancel()
    expectNoDifference(
      trace.lines,
      [
        "2 willEnterForeground background→inactive source(one)",
        "3 didBecomeActive inactive→active source(one)",
        "4 willResignActive active→inactive source(two)",
        "5 didEnterBackground inactive→background synthesized",
      ]
    )
    #expect(window.liveSubscriptions.isEmpty)
    let back = try window.connect(.bus(bus))
    back.cancel()
    token.cancel()
  }
}
