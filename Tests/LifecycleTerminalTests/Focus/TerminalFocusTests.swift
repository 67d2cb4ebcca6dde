import CustomDump
import LifecycleCore
import LifecycleTerminal
import LifecycleTesting
import TestSupport
import Testing

@MainActor
@Suite("Terminal focus")
struct TerminalFocusTests {
  private let trace = Trace()

  private func activeBus() -> (LifecycleBus, LifecycleCancellable) {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let trace = trace
    return (bus, bus.addObserver { trace($0.line) })
  }

  @Test("A bus is inactive without the focus, active with it, and not limited before a report")
  func outAndIn() throws {
    let (bus, token) = activeBus()
    let focus = TerminalFocus()
    let connection = try bus.connect(focus, as: .ceiling)
    expectNoDifference(focus.isFocused, nil)
    expectNoDifference(bus.phase, .active)
    var parser = TerminalInputParser()
    for report in parser.feed("a\(focusOut)b\(focusIn)c\(focusIn)\(focusOut)".utf8).focusReports {
      focus.report(isFocused: report.isFocused, on: .calling)
    }
    expectNoDifference(focus.isFocused, false)
    expectNoDifference(
      trace.take(),
      [
        "4 willResignActive active→inactive source(terminalFocus)",
        "5 didBecomeActive inactive→active source(terminalFocus)",
        "6 willResignActive active→inactive source(terminalFocus)",
      ]
    )
    // A bus that connects later gets the last report at once.
    let other = NonisolatedLifecycleBus(clock: ManualClock())
    other.send(.didBecomeActive)
    let otherConnection = try other.connect(focus, as: .ceiling)
    expectNoDifference(other.phase, .inactive)
    connection.cancel()
    expectNoDifference(bus.phase, .active, "a source that has left limits nothing")
    focus.report(isFocused: true, on: .calling)
    #expect(bus.phase == .active && other.phase == .active)
    withExtendedLifetime((token, otherConnection)) {}
  }

  @Test("A report inside an observer comes after the report that it answers")
  func reportInsideObserver() throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let focus = TerminalFocus()
    let connection = try bus.connect(focus, as: .ceiling)
    let (trace, scope) = (trace, LifecycleScope("observers"))
    bus.addObserver(for: .willResignActive, in: scope) { _ in
      focus.report(isFocused: true, on: .calling)
    }
    bus.addObserver(in: scope) { trace($0.line) }
    focus.report(isFocused: false, on: .calling)
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
    "The last report of the focus counts for every bus, also with reports from two threads"
  )
  func threads() async throws {
    for _ in 0..<200 {
      let focus = TerminalFocus()
      let bus = NonisolatedLifecycleBus(clock: ManualClock())
      bus.send(.didBecomeActive)
      async let reports: Void = awaitOtherThread {
        for isFocused in [true, false, true, false] {
          focus.report(isFocused: isFocused, on: .calling)
        }
      }
      let connection = try await awaitOtherThread {
        Result { try bus.connect(focus, as: .ceiling) }
      }.get()
      await reports
      expectNoDifference(bus.phase, .inactive)
      await awaitOtherThread { focus.report(isFocused: true, on: .calling) }
      expectNoDifference(bus.phase, .active)
      await awaitOtherThread { focus.report(isFocused: false, on: .calling) }
      expectNoDifference(bus.phase, .inactive)
      connection.cancel()
    }
  }
}
