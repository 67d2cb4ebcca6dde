import CustomDump
import LifecycleTerminal
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@MainActor
@Suite("Terminal focus")
struct TerminalFocusTests {
  private let trace = Trace()

  private func activeBus(_ kind: BusKind) -> (any LifecycleBusProtocol, LifecycleSubscription) {
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let trace = trace
    return (bus, bus.addObserver { trace($0.line) })
  }

  @Test("Before the first report, the focus does not count", arguments: BusKind.allCases)
  func noReport(_ kind: BusKind) throws {
    let (bus, token) = activeBus(kind)
    let focus = TerminalFocus()
    let connection = try bus.connect(focus, as: .ceiling)
    expectNoDifference(focus.isFocused, nil)
    bus.send(.willResignActive)
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.take(),
      [
        "4 willResignActive active→inactive manual",
        "5 didBecomeActive inactive→active manual",
      ]
    )
    withExtendedLifetime((connection, token)) {}
  }

  @Test("Without the focus the bus is inactive, with it active", arguments: BusKind.allCases)
  func outAndIn(_ kind: BusKind) throws {
    let (bus, token) = activeBus(kind)
    let focus = TerminalFocus()
    let connection = try bus.connect(focus, as: .ceiling)
    var parser = TerminalInputParser()
    focus.report(parser.feed("a\(focusOut)b\(focusIn)c\(focusIn)\(focusOut)".utf8))
    expectNoDifference(focus.isFocused, false)
    expectNoDifference(
      trace.take(),
      [
        "4 willResignActive active→inactive source(terminalFocus)",
        "5 didBecomeActive inactive→active source(terminalFocus)",
        "6 willResignActive active→inactive source(terminalFocus)",
      ]
    )
    connection.cancel()
    expectNoDifference(bus.phase, .active, "a source that has left limits nothing")
    withExtendedLifetime(token) {}
  }

  @Test("Focus does not bring a process out of the background", arguments: BusKind.allCases)
  func focusInBackground(_ kind: BusKind) throws {
    let (bus, token) = activeBus(kind)
    let focus = TerminalFocus()
    let connection = try bus.connect(focus, as: .ceiling)
    focus.report(isFocused: false)
    bus.send(.didEnterBackground)
    focus.report(isFocused: true)
    expectNoDifference(bus.phase, .background)
    bus.send(.didBecomeActive)
    expectNoDifference(bus.phase, .active)
    withExtendedLifetime((connection, token)) {}
  }

  @Test("A bus that connects later gets the last report at once", arguments: BusKind.allCases)
  func connectsLater(_ kind: BusKind) throws {
    let (bus, token) = activeBus(kind)
    let focus = TerminalFocus()
    focus.report(isFocused: true)
    focus.report(isFocused: false)
    let connection = try bus.connect(focus, as: .ceiling)
    expectNoDifference(trace.take(), ["4 willResignActive active→inactive source(terminalFocus)"])
    withExtendedLifetime((connection, token)) {}
  }

  @Test("One source serves several buses, and keeps none of them")
  func severalBuses() throws {
    let focus = TerminalFocus()
    let (first, firstToken) = activeBus(.mainActor)
    let (second, secondToken) = activeBus(.nonisolated)
    let connections = [
      try first.connect(focus, as: .ceiling), try second.connect(focus, as: .ceiling),
    ]
    focus.report(isFocused: false)
    #expect(first.phase == .inactive && second.phase == .inactive)
    connections[0].cancel()
    focus.report(isFocused: true)
    focus.report(isFocused: false)
    #expect(first.phase == .active && second.phase == .inactive)
    withExtendedLifetime((firstToken, secondToken, connections)) {}
  }

  @Test("A report inside an observer comes after the report that it answers")
  func reportInsideObserver() throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let focus = TerminalFocus()
    let connection = try bus.connect(focus, as: .ceiling)
    let (trace, scope) = (trace, LifecycleScope("observers"))
    bus.addObserver(for: .willResignActive, in: scope) { _ in focus.report(isFocused: true) }
    bus.addObserver(in: scope) { trace($0.line) }
    focus.report(isFocused: false)
    expectNoDifference(
      trace.take(),
      [
        "4 willResignActive active→inactive source(terminalFocus)",
        "5 didBecomeActive inactive→active source(terminalFocus)",
      ]
    )
    withExtendedLifetime(connection) {}
  }

  @Test(
    "Reports from two threads, and buses that come and go: the last report is everywhere the last"
  )
  func threads() async throws {
    for _ in 0..<200 {
      let focus = TerminalFocus()
      let bus = NonisolatedLifecycleBus(clock: ManualClock())
      bus.send(.didBecomeActive)
      async let reports: Void = awaitOtherThread {
        for isFocused in [true, false, true, false] { focus.report(isFocused: isFocused) }
      }
      let connection = try await awaitOtherThread {
        Result { try bus.connect(focus, as: .ceiling) }
      }.get()
      await reports
      expectNoDifference(bus.phase, .inactive)
      await awaitOtherThread { focus.report(isFocused: true) }
      expectNoDifference(bus.phase, .active)
      await awaitOtherThread { focus.report(isFocused: false) }
      expectNoDifference(bus.phase, .inactive)
      connection.cancel()
    }
  }
}
