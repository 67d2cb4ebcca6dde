import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What a bus reports about itself; `DescriptionTests` test how that is put in one line.
@MainActor
@Suite("Diagnostics")
struct DiagnosticsTests {
  /// A clock whose instants are short to print.
  private let clock = ManualClock(
    LifecycleInstant(
      continuous: .boot + .seconds(10),
      timeAwake: .seconds(8),
      timeSince1970: .seconds(100)
    )
  )

  @Test("A dump: participants, ceilings, suppressed inputs and observers")
  func dump() throws {
    let bus = LifecycleBus(clock: clock)
    let sources = ["window", "window's delegate", "lock"].map { TestSource($0) }
    let roles: [LifecycleRole] = [.participant("window"), .participant("window"), .ceiling]
    let connections = try zip(sources, roles).map { try bus.connect($0, as: $1) }
    let scope = LifecycleScope("screen")
    bus.addObserver(in: scope, fileID: "App/Screen.swift", line: 12) { _ in }
    for source in sources.prefix(2) { source.feed.send(.didFinishLaunching) }
    clock.advance(by: .seconds(5))
    expectNoDifference(
      String(customDumping: bus.diagnostics),
      """
      LifecycleDiagnostics(
        phase: .background,
        participants: [
          [0]: LifecycleDiagnostics.Participant(
            name: window,
            phase: .background,
            sources: [
              [0]: LifecycleDiagnostics.Source(
                origin: .source(window),
                lastInput: LifecycleDiagnostics.Input(
                  kind: didFinishLaunching,
                  instant: LifecycleInstant(
                    continuous: 10 s,
                    suspending: 8 s,
                    wall: 100 s
                  ),
                  suppressed: nil
                )
              ),
              [1]: LifecycleDiagnostics.Source(
                origin: .source(window's delegate),
                lastInput: LifecycleDiagnostics.Input(
                  kind: didFinishLaunching,
                  instant: LifecycleInstant(
                    continuous: 10 s,
                    suspending: 8 s,
                    wall: 100 s
                  ),
                  suppressed: .duplicate
                )
              )
            ]
          )
        ],
        ceilings: [
          [0]: LifecycleDiagnostics.Ceiling(
            phase: .unknown,
            source: LifecycleDiagnostics.Source(
              origin: .source(lock),
              lastInput: nil
            )
          )
        ],
        suppressedCounts: [
          .duplicate: 1
        ],
        liveSubscriptions: [
          [0]: LiveSubscription(
            location: LifecycleObserverLocation(
              scope: "screen",
              fileID: "App/Screen.swift",
              line: 12,
              activity: nil
            ),
            age: 5 s
          )
        ],
        isDelivering: false,
        runningObserver: nil
      )
      """
    )
    scope.end()
    for connection in connections { connection.cancel() }
    let diagnostics = bus.diagnostics
    #expect(diagnostics.participants.isEmpty && diagnostics.ceilings.isEmpty)
    #expect(diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("Durations are printed in seconds, exactly")
  func durationsArePrintedInSeconds() {
    let instant = LifecycleInstant(
      continuous: .boot,
      timeAwake: .nanoseconds(-1_250_000_000),
      timeSince1970: Duration(secondsComponent: 1, attosecondsComponent: 1)
    )
    expectNoDifference(
      String(customDumping: instant),
      """
      LifecycleInstant(
        continuous: 0 s,
        suspending: -1.25 s,
        wall: 1.000000000000000001 s
      )
      """
    )
  }

  @Test("Participants by name, the program's own inputs first; those that are silent or have ended")
  func participants() throws {
    let bus = LifecycleBus(clock: clock)
    let window = TestSource("window")
    let connections = [
      try bus.connect(window, as: .participant("window")),
      try bus.connect(TestSource("panel"), as: .participant("panel")),
      try bus.connect(TestSource("system")),
    ]
    bus.send(.willEnterForeground)
    for input in [LifecycleEvent.Kind.didBecomeActive, .willTerminate] { window.feed.send(input) }
    let diagnostics = bus.diagnostics
    expectNoDifference(
      diagnostics.participants.map { "\($0.name) \($0.phase) \($0.sources.map(\.origin))" },
      [
        "application inactive [manual, source(system)]", "panel unknown [source(panel)]",
        "window terminated [source(window)]",
      ]
    )
    expectNoDifference(diagnostics.phase, .inactive)
    for connection in connections { connection.cancel() }
  }

  @Test("The last input is noted, also when it comes after the end")
  func lastInput() throws {
    let bus = LifecycleBus(clock: clock)
    let source = TestSource("system")
    let connection = try bus.connect(source)
    let trace = Trace()
    for input in [LifecycleEvent.Kind.systemDidWake, .willTerminate, .didBecomeActive] {
      clock.advance(by: .seconds(1))
      source.feed.send(input)
      let last = try #require(bus.diagnostics.participants[0].sources[0].lastInput)
      trace("\(last.kind) \(last.instant.continuous) \(last.suppressed?.rawValue ?? "-")")
    }
    expectNoDifference(
      trace.lines,
      ["systemDidWake 11 s -", "willTerminate 12 s -", "didBecomeActive 13 s terminated"]
    )
    connection.cancel()
  }

  @Test("Of a child, one place among the parent's observers, and its observer that is running")
  func childAmongParentsObservers() {
    let parent = LifecycleBus(clock: clock)
    let child = LifecycleBus(parent: parent)
    let locations = Trace()
    let token = child.addObserver(fileID: "App/Screen.swift", line: 20) { [unowned parent] _ in
      locations(parent.diagnostics.runningObserver?.description ?? "nobody")
    }
    parent.send(.systemDidWake)
    expectNoDifference(locations.lines, ["App/Screen.swift:20"])
    expectNoDifference(parent.diagnostics.liveSubscriptions.count, 1)
    token.cancel()
  }

  @Test("Read while sources report on other threads: all are there, and every input counts")
  func whileSourcesReport() async throws {
    let rounds = 300
    let bus = NonisolatedLifecycleBus(clock: clock)
    let names: [LifecycleParticipant] = ["first", "second", "third"]
    let sources = names.map { _ in TestSource("source") }
    let connections = try zip(sources, names).map { try bus.connect($0, as: .participant($1)) }
    let incomplete = Collector<LifecycleDiagnostics>()
    await awaitOtherThreads(sources.count + 1) { thread in
      for round in 0..<rounds {
        if thread < sources.count {
          let kind: LifecycleEvent.Kind =
            round.isMultiple(of: 2) ? .didBecomeActive : .willResignActive
          // The second one has no effect.
          for _ in 1...2 { sources[thread].feed.send(kind) }
        } else {
          let read = bus.diagnostics
          let count = read.participants.flatMap(\.sources).count
          if count != sources.count || read.suppressedCounts.values.contains(0) { incomplete(read) }
        }
      }
    }
    expectNoDifference(incomplete.values, [])
    let diagnostics = bus.diagnostics
    expectNoDifference(
      diagnostics.participants.map { "\($0.name) \($0.phase)" },
      ["first inactive", "second inactive", "third inactive"]
    )
    #expect(diagnostics.suppressedCounts.values.reduce(0, +) >= rounds * sources.count)
    for connection in connections { connection.cancel() }
  }
}
