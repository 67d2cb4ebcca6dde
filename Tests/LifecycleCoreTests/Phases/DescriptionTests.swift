import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@Suite("Descriptions")
@MainActor
struct DescriptionTests {
  private let clock = ManualClock()
  private let trace = Trace()

  @Test("An event is described by its kind, phases, stay and number")
  func eventIsKindPhasesStayAndNumber() {
    let bus = LifecycleBus(clock: clock)
    let token = bus.addObserver { [trace] in trace("\($0)") }
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(30))
    clock.sleepDevice(for: .seconds(60))
    bus.send(all: .willEnterForeground, .systemDidWake)
    token.cancel()
    expectNoDifference(
      trace.lines,
      [
        "didFinishLaunching (unknown → background) #1",
        "willEnterForeground (background → inactive) #2",
        "didEnterBackground (inactive → background) #3",
        "willEnterForeground (background → inactive, away 90 s, asleep 60 s) #4",
        "systemDidWake (inactive) #5",
      ]
    )
  }

  @Test("A stay is described to the millisecond, however long it is")
  func stayIsWrittenToTheMillisecond() {
    let entered = clock.now
    clock.advance(by: .microseconds(1_500_900))
    clock.setWallClock(by: .seconds(-3600))
    expectNoDifference(
      "\(BackgroundStay(from: entered, to: clock.now))",
      "away 1.5 s, clock set by -3600 s"
    )
    let instants = [Duration.shortest, .zero, Duration.longest].map {
      LifecycleInstant(
        continuous: ContinuousInstant(timeSinceBoot: $0),
        timeAwake: .zero,
        timeSince1970: .zero - $0 / 2
      )
    }
    for first in instants {
      for last in instants {
        #expect("\(BackgroundStay(from: first, to: last))".hasPrefix("away "))
      }
    }
  }

  @Test("An instant is described and dumped in seconds, exactly, but not beyond 2⁶³ s")
  func instantIsDescribedAndDumpedInSeconds() {
    let instant = ContinuousInstant.boot + .seconds(90.25)
    expectNoDifference("\(instant)", "90.25 s")
    expectNoDifference(String(customDumping: [instant]), "[\n  [0]: 90.25 s\n]")
    expectNoDifference(
      "\(ContinuousInstant(timeSinceBoot: Duration.longest))",
      "9223372036854775807 s"
    )
  }

  @Test(
    "The short text of a duration has its two greatest units",
    arguments: [
      (0, "0 µs"), (0.000_25, "250 µs"), (0.001_5, "1.5 ms"), (0.04, "40 ms"), (0.999_9, "1 s"),
      (2.5, "2.5 s"), (9.999, "10 s"), (59.97, "1 min"), (90, "1 min 30 s"), (3_599.6, "1 h"),
      (5_400, "1 h 30 min"), (86_370, "1 d"), (194_400, "2 d 6 h"), (-90, "-1 min 30 s"),
      (1e18, "11574074 d 2 h"),
    ]
  )
  func shortText(_ seconds: Double, _ expected: String) {
    expectNoDifference(Duration.seconds(seconds).shortText, expected)
  }

  @Test("Roles, scopes, conditions and suppressed inputs are described in words")
  func rolesScopesAndSuppressedInputs() {
    let scope = LifecycleScope("rental list")
    expectNoDifference("\(scope)", #"scope "rental list""#)
    scope.end()
    expectNoDifference("\(scope)", #"scope "rental list" (ended)"#)
    let roles: [LifecycleRole] = [.participant(.application), .participant("window 2"), .ceiling]
    expectNoDifference(
      roles.map { "\($0)" },
      ["application", "participant window 2", "ceiling"]
    )
    expectNoDifference("\(LifecyclePhase.Condition.atLeast(.active))", "at least active")
    expectNoDifference("\(LifecyclePhase.Condition.atMost(.background))", "at most background")
    expectNoDifference("\(LifecyclePhase.Condition.foreground)", "at least inactive")
    expectNoDifference("\(LifecyclePhase.Condition.background)", "background")
    let input = SuppressedInput(
      kind: .didBecomeActive,
      reason: .duplicate,
      origin: .manual,
      instant: clock.now
    )
    expectNoDifference("\(input)", "didBecomeActive suppressed (duplicate)")
  }

  @Test("The diagnostics of a bus are described in a line, with the running observer")
  func busAndDiagnostics() throws {
    let bus = LifecycleBus(clock: clock)
    let lock = TestSource("lock")
    let connection = try bus.connect(lock, as: .ceiling)
    bus.send(all: .didBecomeActive, .didBecomeActive)
    lock.feed.send(.didBecomeActive)
    let line =
      "active; application active; ceiling source(lock) active; 1 live subscription; "
      + "suppressed 1 duplicate, 1 masked"
    let note: @Sendable () -> Void = { [unowned bus, trace] in trace("\(bus.diagnostics)") }
    let token = bus.addObserver(fileID: "App/Screen.swift", line: 12) { _ in note() }
    // A scope ends between observers.
    let scope = LifecycleScope()
    scope.onEnd(note)
    scope.end(at: .systemDidWake, of: bus)
    bus.send(.systemDidWake)
    expectNoDifference(
      trace.lines,
      ["\(line); delivering to App/Screen.swift:12", "\(line); delivering"]
    )
    var diagnostics = bus.diagnostics
    expectNoDifference("\(diagnostics)", line)
    diagnostics.suppressedCounts[.disconnected] = 0
    expectNoDifference("\(diagnostics)", line)
    expectNoDifference(String(reflecting: bus), "LifecycleBus(\(line))")
    token.cancel()
    connection.cancel()
  }

  @Test("The result of sending is described as delivered, queued, or suppressed with its reason")
  func sendResults() {
    let results: [LifecycleSendResult] = [.delivered, .queued, .suppressed(.duplicate)]
    expectNoDifference(
      results.map(\.description),
      ["delivered", "queued", "suppressed (duplicate)"]
    )
    expectNoDifference(results.map(\.suppressionReason), [nil, nil, .duplicate])
  }
}
