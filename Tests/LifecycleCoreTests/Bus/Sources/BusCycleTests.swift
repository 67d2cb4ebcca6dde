import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// A bus that would feed itself would pass on a notice for ever.
@MainActor
@Suite("Buses as sources: cycles")
struct BusCycleTests {
  private let clock = ManualClock()

  private func makeBuses(_ count: Int) -> [LifecycleBus] {
    (0..<count).map { _ in LifecycleBus(clock: clock) }
  }

  @Test(
    "A cycle of one, two and three buses is refused, and leaves nothing behind",
    arguments: [1, 2, 3]
  )
  func cyclesAreRefused(_ length: Int) throws {
    let buses = makeBuses(length)
    let connections = try zip(buses, buses.dropFirst()).map {
      try $1.connect(.bus($0), as: .ceiling)
    }
    let first = buses[0]
    let last = buses[length - 1]
    for role in [LifecycleRole.ceiling, .participant(.application), .participant("window")] {
      #expect(throws: LifecycleBusCycleError.self) { try first.connect(.bus(last), as: role) }
    }
    #expect(last.diagnostics.liveSubscriptions.isEmpty)
    expectNoDifference(first.diagnostics.ceilings, [])
    expectNoDifference(first.diagnostics.participants, [])
    // Refused only while the cycle would be one.
    for connection in connections { connection.cancel() }
    if length > 1 {
      let back = try first.connect(.bus(last), as: .ceiling)
      last.send(.didFinishLaunching)
      expectNoDifference(first.phase, .background)
      back.cancel()
    }
    withExtendedLifetime(buses) {}
  }

  @Test("The error of a cycle says what to do")
  func errorSaysWhatIsWrong() {
    let bus = LifecycleBus(clock: clock)
    let error = #expect(throws: LifecycleBusCycleError.self) { try bus.connect(.bus(bus)) }
    expectNoDifference(
      error.map { "\($0)" },
      """
      A bus can't be its own source: it already feeds, directly or through other buses, the bus \
      that was passed as its source. Connect the two in one direction only.
      """
    )
  }

  @Test("The search for a cycle visits each bus once, however many ways lead to it")
  func manyWaysBetweenBuses() throws {
    let buses = makeBuses(61)
    let connections = LifecycleScope()
    // Two ways from each to the next are 2^60 from the first to the last: looking at all of them
    // would not end.
    for (bus, next) in zip(buses, buses.dropFirst()) {
      for name in ["left", "right"] as [LifecycleParticipant] {
        try next.connect(.bus(bus), as: .participant(name)).store(in: connections)
      }
    }
    #expect(throws: LifecycleBusCycleError.self) { try buses[0].connect(.bus(buses[60])) }
    connections.end()
  }

  @Test("Two ways from one bus to another are no cycle, and a notice takes both")
  func twoWaysBetweenBusesAreNoCycle() throws {
    let buses = makeBuses(4)
    let connections = [
      try buses[1].connect(.bus(buses[0]), as: .ceiling),
      try buses[2].connect(.bus(buses[0]), as: .ceiling),
      try buses[3].connect(.bus(buses[1]), as: .ceiling),
      try buses[3].connect(.bus(buses[2]), as: .ceiling),
    ]
    let trace = Trace()
    let token = buses[3].addObserver { trace($0.kind.rawValue) }
    buses[0].send(all: .systemDidWake, .didBecomeActive)
    expectNoDifference(
      trace.lines,
      ["systemDidWake", "systemDidWake", "willEnterForeground", "didBecomeActive"]
    )
    token.cancel()
    for connection in connections { connection.cancel() }
    withExtendedLifetime(buses) {}
  }

  @Test("A bus connected twice as one participant counts until the second connection ends")
  func sameBusTwice() throws {
    let buses = makeBuses(2)
    let (window, bus) = (buses[0], buses[1])
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
    #expect(window.diagnostics.liveSubscriptions.isEmpty)
    token.cancel()
  }
}
