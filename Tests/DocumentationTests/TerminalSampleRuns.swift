import CustomDump
import Foundation
import LifecycleTerminal
import LifecycleTesting
import ReactiveLifecycle
import Testing

@MainActor
@Suite("Samples of the terminal")
struct TerminalSampleRuns {
  @Test("The parser takes the report out of the input")
  func input() {
    terminalInputSample { text, reports in
      expectNoDifference("\(text) \(reports)", "ab [false]")
    }
  }

  @Test("The loop passes on the Escape key when its time has passed")
  func inputLoop() {
    var reads: [[UInt8]?] = [[0x61, 0x1B], nil, [0x1B, 0x5B], [0x49]]
    var timeouts: [Duration?] = []
    var handled: [TerminalInput] = []
    terminalInputLoopSample(
      waitForInput: { timeout in
        timeouts.append(timeout)
        guard let next = reads.first, next == nil else { return true }
        reads.removeFirst()
        return false
      },
      readInput: { reads.isEmpty ? nil : reads.removeFirst() },
      handle: { handled.append($0) }
    )
    expectNoDifference(timeouts, [nil, .milliseconds(50), nil, .milliseconds(50), nil])
    expectNoDifference(handled.map(\.bytes), [[0x61], [0x1B], [], []])
    expectNoDifference(handled.flatMap(\.focusReports).map(\.isFocused), [true])
  }

  @Test("The bus receives the reports, and the program the keys")
  func focus() throws {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(.launch, .becomeActive)
    var kinds: [LifecycleEvent.Kind] = []
    let token = lifecycle.bus.addObserver { kinds.append($0.kind) }
    let reads = ["a\u{1B}", "[Ob", "\u{1B}[I"].map { Array($0.utf8) }
    #expect(try terminalFocusSample(bus: lifecycle.bus, reads: reads) == Array("ab".utf8))
    expectNoDifference(kinds, [.willResignActive, .didBecomeActive])
    token.cancel()
  }

  /// Tests of the module run it under a terminal of their own.
  @Test(
    "Without a terminal, the session says so",
    .enabled(if: !hasTerminal, "it would take the terminal that the tests run in")
  )
  func session() async {
    await #expect(throws: TerminalSession.StartError.self) {
      try await terminalSessionSample(bus: LifecycleBus()) { _ in }
    }
  }

  private nonisolated static let hasTerminal: Bool = {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    defer { if terminal >= 0 { close(terminal) } }
    return terminal >= 0
  }()
}
