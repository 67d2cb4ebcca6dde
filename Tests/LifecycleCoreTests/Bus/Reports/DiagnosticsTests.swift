import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// What a bus reports about itself; `DescriptionTests` test how that is put in one line.
@MainActor
@Suite("Diagnostics")
struct DiagnosticsTests {
  private let clock = ManualClock()

  @Test("An instant is dumped in exact seconds")
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

  @Test("Participants are listed by name, silent and ended ones included")
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

  @Test("The last input of a source is reported, even if it came after the end")
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
      ["systemDidWake 3601 s -", "willTerminate 3602 s -", "didBecomeActive 3603 s terminated"]
    )
    connection.cancel()
  }
}
