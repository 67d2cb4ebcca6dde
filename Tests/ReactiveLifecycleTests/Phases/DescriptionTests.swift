import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Descriptions")
@MainActor
struct DescriptionTests {
  private let clock = ManualClock()

  @Test("An event: kind, phases, stay, number")
  func eventIsKindPhasesStayAndNumber() {
    let bus = LifecycleBus(clock: clock)
    let trace = Trace()
    let token = bus.addObserver { trace("\($0)") }
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

  @Test("A stay is written to the millisecond, and no stay is too long for it")
  func stayIsWrittenToTheMillisecond() throws {
    let entered = clock.now
    clock.advance(by: .microseconds(1_500_900))
    clock.setWallClock(by: .seconds(-3600))
    expectNoDifference(
      "\(BackgroundStay(from: entered, to: clock.now))",
      "away 1.5 s, clock set by -3600 s"
    )
    let longest = Int64.max
    for json in [
      #"{"duration":[\#(longest),0],"timeAsleep":[0,0],"wallClockShift":[0,0]}"#,
      #"{"duration":[0,0],"timeAsleep":[0,0],"wallClockShift":[\#(longest),0]}"#,
      #"{"duration":[0,0],"timeAsleep":[0,0],"wallClockShift":[\#(Int64.min),0]}"#,
    ] {
      let stay = try JSONDecoder().decode(BackgroundStay.self, from: Data(json.utf8))
      #expect("\(stay)".hasPrefix("away "))
    }
    let origin = LifecycleInstant(continuous: .boot, timeAwake: .zero, timeSince1970: .zero)
    let first = LifecycleInstant(
      continuous: .boot - .seconds(longest),
      timeAwake: .zero,
      timeSince1970: .zero
    )
    let last = LifecycleInstant(
      continuous: .boot + .seconds(longest),
      timeAwake: .zero,
      timeSince1970: .zero
    )
    for stay in [BackgroundStay(from: first, to: last), BackgroundStay(from: last, to: origin)] {
      #expect("\(stay)".hasPrefix("away "))
    }
  }

  @Test("Roles, scopes, suppressed inputs")
  func rolesScopesAndSuppressedInputs() {
    let scope = LifecycleScope("rental list")
    expectNoDifference("\(scope)", #"scope "rental list""#)
    scope.end()
    expectNoDifference("\(scope)", #"scope "rental list" (ended)"#)
    let roles: [LifecycleRole] = [.presence, .participant("window 2"), .ceiling]
    expectNoDifference(
      roles.map { "\($0)" },
      ["presence", "participant window 2", "ceiling"]
    )
    let input = SuppressedInput(
      kind: .didBecomeActive,
      reason: .duplicate,
      origin: .manual,
      instant: clock.now
    )
    expectNoDifference("\(input)", "didBecomeActive suppressed (duplicate)")
  }

  @Test("Buses and diagnostics, in one line", arguments: BusKind.allCases)
  func busesAndDiagnostics(_ kind: BusKind) {
    let bus = kind.make(clock: clock)
    let token = bus.addObserver { _ in }
    bus.send(all: .didBecomeActive, .didBecomeActive)
    let line = "active; application active; 1 live subscription; suppressed 1 duplicate"
    var diagnostics = bus.diagnostics
    expectNoDifference("\(diagnostics)", line)
    diagnostics.suppressedCounts[.masked] = 0
    expectNoDifference("\(diagnostics)", line)
    expectNoDifference(String(reflecting: bus), "\(type(of: bus))(\(line))")
    token.cancel()
  }

  @Test("Diagnostics with a ceiling, in an observer and between two", arguments: BusKind.allCases)
  func diagnosticsInDelivery(_ kind: BusKind) throws {
    let bus = kind.make(clock: clock)
    bus.send(all: .didBecomeActive, .didBecomeActive)
    let lock = TestSource("lock")
    let connection = try bus.connect(lock, as: .ceiling)
    lock.input.send(.didBecomeActive)
    let trace = Trace()
    let note: @Sendable () -> Void = { [unowned bus] in trace("\(bus.diagnostics)") }
    let tokens = [
      bus.addObserver(for: .systemDidWake, fileID: "App/Screen.swift", line: 12) { _ in note() },
      bus.addObserver(for: .systemWillSleep) { _ in },
    ]
    // A scope ends between observers.
    let scope = LifecycleScope()
    scope.onEnd(note)
    scope.end(at: .systemDidWake, of: bus)
    bus.send(.systemDidWake)
    let line =
      "active; application active; ceiling source(lock) active; 2 live subscriptions; "
      + "suppressed 1 duplicate, 1 masked; delivering"
    expectNoDifference(trace.lines, [line + " to App/Screen.swift:12", line])
    for token in tokens { token.cancel() }
    connection.cancel()
  }
}
