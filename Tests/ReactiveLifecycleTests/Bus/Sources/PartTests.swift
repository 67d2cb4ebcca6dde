import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Parts of a source, each with a say of its own.
@MainActor
@Suite("Several sources: parts of a source")
struct PartTests {
  private let bus = LifecycleBus(clock: ManualClock())
  private let source = TestSource("windows")

  @Test("A part has a say of its own, under its source's name, and withdraws alone")
  func ownSay() throws {
    let trace = Trace()
    let connection = try bus.connect(source)
    let token = bus.addObserver { trace($0.line) }
    let left = source.input.part(as: .participant("left"))
    let lid = source.input.part(as: .ceiling)
    trace(source.input.send(.didFinishLaunching).line)
    trace(left.send(.didBecomeActive).line)
    trace(left.send(.didBecomeActive).line)
    trace(lid.send(.willResignActive).line)
    expectNoDifference(
      trace.take(),
      [
        "1 didFinishLaunching unknown→background source(windows)", "delivered",
        "2 willEnterForeground background→inactive synthesized",
        "3 didBecomeActive inactive→active source(windows)", "delivered",
        "suppressed duplicate",
        "4 willResignActive active→inactive source(windows)", "delivered",
      ]
    )
    expectNoDifference(
      bus.diagnostics.participants.map { "\($0.name) \($0.phase) \($0.sources[0].origin)" },
      ["application background source(windows)", "left active source(windows)"]
    )
    lid.disconnect()
    lid.disconnect()
    trace(lid.send(.didEnterBackground).line)
    expectNoDifference(
      trace.lines,
      ["5 didBecomeActive inactive→active synthesized", "suppressed disconnected"]
    )
    connection.cancel()
    token.cancel()
  }

  @Test("Parts leave with their source, and with the part they belong to")
  func leaveTogether() throws {
    let connection = try bus.connect(source, as: .participant("program"))
    let window = source.input.part(as: .participant("window"))
    let tab = window.part(as: .participant("tab"))
    let lid = tab.part(as: .ceiling)
    let other = source.input.part(as: .participant("other"))
    tab.send(.didBecomeActive)
    lid.send(.willResignActive)
    expectNoDifference(bus.phase, .inactive)
    other.send(.didBecomeActive)
    window.disconnect()
    expectNoDifference(bus.phase, .active, "the part's own parts went with it, its ceiling too")
    for input in [window, tab, lid] {
      #expect(input.send(.didEnterBackground) == .suppressed(.disconnected))
    }
    expectNoDifference(bus.diagnostics.participants.map(\.name), ["other", "program"])
    connection.cancel()
    expectNoDifference(other.send(.didEnterBackground), .suppressed(.disconnected))
    // Nor has a part that is asked for now.
    let late = source.input.part(as: .ceiling)
    expectNoDifference(late.send(.didBecomeActive), .suppressed(.disconnected))
    #expect(bus.diagnostics.participants.isEmpty && bus.diagnostics.ceilings.isEmpty)
  }

  @Test("A source made of parts says what as many sources would say")
  func likeSources() throws {
    // Which of the sources is whose part; 0 is the whole.
    let wholes = [nil, 0, 0, 1, 1, 2]
    let roles: [LifecycleRole] = [
      .participant(.application), .participant("a"), .participant("b"), .participant("a"), .ceiling,
      .ceiling,
    ]
    let kinds = PhaseOracle.transitions.dropLast()
    for seed in seeds(400) {
      var generator = Generator(seed, 0, 0)
      let bus = LifecycleBus(clock: ManualClock())
      let reference = LifecycleBus(clock: ManualClock())
      let source = TestSource("whole")
      var connections = [try bus.connect(source)]
      let sources = roles.map { _ in TestSource("whole") }
      for (source, role) in zip(sources, roles) {
        connections.append(try reference.connect(source, as: role))
      }
      // With nobody the phase would stay as it was, and they leave in different steps.
      for bus in [bus, reference] { bus.send(.didFinishLaunching) }
      var inputs = [source.input]
      for (whole, role) in zip(wholes, roles).dropFirst() {
        inputs.append(inputs[whole!].part(as: role))
      }
      func disconnect(_ index: Int) {
        for (part, whole) in wholes.enumerated() where whole == index { disconnect(part) }
        sources[index].input.disconnect()
      }
      for step in 0..<25 {
        let index = generator.next(below: roles.count)
        if generator.next(below: index == 0 ? 40 : 8) == 0 {
          inputs[index].disconnect()
          disconnect(index)
        } else {
          let kind = kinds[generator.next(below: kinds.count)]
          let outcome = inputs[index].send(kind)
          try #require(outcome == sources[index].input.send(kind), "seed \(seed), step \(step)")
        }
        try #require(bus.phase == reference.phase, "seed \(seed), step \(step)")
      }
      withExtendedLifetime(connections) {}
    }
  }

  @Test("Parts made while the source leaves have no say after it")
  func partsMadeWhileTheSourceLeaves() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    for _ in 0..<200 {
      let connection = try bus.connect(source)
      let input = source.input
      await awaitOtherThreads(3) { thread in
        guard thread > 0 else { return connection.cancel() }
        for number in 0..<5 {
          let name = LifecycleParticipant(rawValue: "\(thread) \(number)")
          input.part(as: .participant(name)).send(.didBecomeActive)
        }
      }
      #expect(bus.diagnostics.participants.isEmpty)
    }
  }
}
