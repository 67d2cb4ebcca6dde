import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What a bus says about itself, as it is printed.
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

  @Test("At rest: participants, ceilings, suppressed inputs and observers")
  func atRest() throws {
    let bus = LifecycleBus(clock: clock)
    let sources = ["scenes", "window", "window's delegate", "lock", "focus"].map {
      TestSource(LifecycleSourceName(rawValue: $0))
    }
    let roles: [LifecycleRole] = [
      .presence, .participant("window"), .participant("window"), .ceiling, .ceiling,
    ]
    let connections = try zip(sources, roles).map { try bus.connect($0, as: $1) }
    let scope = LifecycleScope("screen")
    bus.addObserver(in: scope, fileID: "App/Screen.swift", line: 12) { _ in }
    sources[0].input.send(.didBecomeActive)
    sources[3].input.send(.willResignActive)
    sources[1].input.send(.didFinishLaunching)
    sources[2].input.send(.didFinishLaunching)
    clock.advance(by: .seconds(5))
    expectNoDifference(
      String(customDumping: bus.diagnostics),
      """
      LifecycleDiagnostics(
        phase: .inactive,
        participants: [
          [0]: LifecycleDiagnostics.Participant(
            name: application,
            phase: .active,
            sources: [
              [0]: LifecycleDiagnostics.Source(
                origin: .source(scenes),
                lastInput: LifecycleDiagnostics.Input(
                  kind: didBecomeActive,
                  instant: LifecycleInstant(
                    continuous: 10 s,
                    suspending: 8 s,
                    wall: 100 s
                  ),
                  suppressed: nil
                )
              )
            ]
          ),
          [1]: LifecycleDiagnostics.Participant(
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
                  suppressed: .masked
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
            phase: .inactive,
            source: LifecycleDiagnostics.Source(
              origin: .source(lock),
              lastInput: LifecycleDiagnostics.Input(
                kind: willResignActive,
                instant: LifecycleInstant(
                  continuous: 10 s,
                  suspending: 8 s,
                  wall: 100 s
                ),
                suppressed: nil
              )
            )
          ),
          [1]: LifecycleDiagnostics.Ceiling(
            phase: .unknown,
            source: LifecycleDiagnostics.Source(
              origin: .source(focus),
              lastInput: nil
            )
          )
        ],
        suppressedCounts: [
          .duplicate: 1,
          .masked: 1
        ],
        liveSubscriptions: [
          [0]: LiveSubscription(
            location: LifecycleObserverLocation(
              scope: "screen",
              fileID: "App/Screen.swift",
              line: 12
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
    expectNoDifference(
      String(customDumping: bus.diagnostics),
      """
      LifecycleDiagnostics(
        phase: .inactive,
        participants: [],
        ceilings: [],
        suppressedCounts: [
          .duplicate: 1,
          .masked: 1
        ],
        liveSubscriptions: [],
        isDelivering: false,
        runningObserver: nil
      )
      """
    )
  }

  @Test("From inside an observer: the delivery, and who is called", arguments: BusKind.allCases)
  func insideAnObserver(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    let dumps = Trace()
    let scope = LifecycleScope("screen")
    let body: @Sendable (LifecycleEvent) -> Void = { [unowned bus] _ in
      dumps(String(customDumping: bus.diagnostics))
    }
    if let bus = bus as? LifecycleBus {
      bus.addObserver(for: [.willEnterForeground], in: scope, fileID: "App/A.swift", line: 3) {
        body($0)
      }
    } else if let bus = bus as? NonisolatedLifecycleBus {
      bus.addObserver(
        for: [.willEnterForeground],
        in: scope,
        fileID: "App/A.swift",
        line: 3,
        using: body
      )
    }
    // Accepted, and delivered as far as `inactive` when the observer looks.
    bus.send(.didBecomeActive)
    expectNoDifference(
      dumps.lines.joined(separator: "\n"),
      """
      LifecycleDiagnostics(
        phase: .inactive,
        participants: [
          [0]: LifecycleDiagnostics.Participant(
            name: application,
            phase: .active,
            sources: [
              [0]: LifecycleDiagnostics.Source(
                origin: .manual,
                lastInput: LifecycleDiagnostics.Input(
                  kind: didBecomeActive,
                  instant: LifecycleInstant(
                    continuous: 10 s,
                    suspending: 8 s,
                    wall: 100 s
                  ),
                  suppressed: nil
                )
              )
            ]
          )
        ],
        ceilings: [],
        suppressedCounts: [:],
        liveSubscriptions: [
          [0]: LiveSubscription(
            location: LifecycleObserverLocation(
              scope: "screen",
              fileID: "App/A.swift",
              line: 3
            ),
            age: 0 s
          )
        ],
        isDelivering: true,
        runningObserver: LifecycleObserverLocation(
          scope: "screen",
          fileID: "App/A.swift",
          line: 3
        )
      )
      """
    )
    #expect(!bus.diagnostics.isDelivering)
    expectNoDifference(bus.diagnostics.runningObserver, nil)
    scope.end()
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
    var later = instant
    later.continuous += .seconds(90)
    expectNoDifference(
      String(customDumping: BackgroundStay(from: instant, to: later)),
      """
      BackgroundStay(
        duration: 90 s,
        timeAsleep: 90 s,
        wallClockShift: -90 s
      )
      """
    )
  }

  @Test("A child's place among the parent's observers, and its observer that is running")
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

  @Test("The last input is noted, also when it comes after the end", arguments: BusKind.allCases)
  func lastInput(_ kind: BusKind) throws {
    let bus = kind.make(clock: clock)
    let source = TestSource("system")
    let connection = try bus.connect(source)
    var seen: [LifecycleDiagnostics.Input?] = []
    for input in [
      LifecycleEvent.Kind.didFinishLaunching, .systemDidWake, .willTerminate, .didBecomeActive,
    ] {
      clock.advance(by: .seconds(1))
      source.input.send(input)
      seen.append(bus.diagnostics.participants[0].sources[0].lastInput)
    }
    expectNoDifference(
      seen.map {
        $0.map { "\($0.kind) \($0.instant.continuous) \($0.suppressed?.rawValue ?? "-")" }
      },
      [
        "didFinishLaunching 11 s -",
        "systemDidWake 12 s -",
        "willTerminate 13 s -",
        "didBecomeActive 14 s terminated",
      ]
    )
    connection.cancel()
  }

  @Test("A participant and a ceiling that have not spoken are listed, as unknown")
  func silentParticipantAndCeilingAreListed() throws {
    let bus = LifecycleBus(clock: clock)
    let connections = [
      try bus.connect(TestSource("B"), as: .participant("b")),
      try bus.connect(TestSource("A"), as: .participant("a")),
      try bus.connect(TestSource("lock"), as: .ceiling),
    ]
    let diagnostics = bus.diagnostics
    expectNoDifference(
      diagnostics.participants.map { "\($0.name) \($0.phase)" },
      ["a unknown", "b unknown"]
    )
    expectNoDifference(diagnostics.ceilings.map(\.phase), [.unknown])
    expectNoDifference(diagnostics.phase, .unknown)
    for connection in connections { connection.cancel() }
    expectNoDifference(bus.diagnostics, LifecycleBus().diagnostics)
  }
}
