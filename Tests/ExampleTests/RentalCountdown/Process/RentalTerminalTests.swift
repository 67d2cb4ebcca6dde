import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension RentalCountdownTests {
  @Suite("In a terminal", .serialized)
  struct TerminalTests {
    @Test("The bar is redrawn in place; after fg it says how long it was away; at zero it says so")
    func barIsRedrawnInPlace() throws {
      try withEnoughTime(3) { seconds in
        // Each attempt has a terminal of its own.
        let session = try JobControlSession(executable: builtProgramPath("lifecycle-probe"))
        defer { session.close() }
        let program = try builtProgramPath("rental-countdown")
        let launched = ContinuousClock.now
        let countdown = try session.launch(
          with(JobRequest([program, "--seconds", "\(seconds)"])) { $0.standardOutput = .terminal }
        )
        try session.waitForTerminal(toShow: " left")
        let start = ContinuousClock.now
        try session.terminal.type(PseudoTerminal.controlZ)
        let status = try countdown.nextStatus().status
        // It may also be stopped between its last line and its end.
        if ContinuousClock.now - launched >= .seconds(seconds) { throw TooLate(status) }
        expectNoDifference(status, .stopped(SIGTSTP))
        session.idle(for: .milliseconds(1100))
        try session.foreground(countdown)
        #expect(try countdown.nextStatus().status == .continued)
        #expect(try countdown.waitUntilEnd() == .exited(0))
        let most = (ContinuousClock.now - start) / .seconds(1)

        let text = session.terminal.outputText.replacing("^Z", with: "")
        let lines = text.split(separator: "\r\n").map { $0.split(separator: "\r").last ?? "" }
        try #require(lines.count == 4, "\(text.debugDescription)")
        #expect(lines[0].hasSuffix(" left"))
        let away = try #require(lines[1].wholeMatch(of: /Away for (\d+\.\d) s\./)).1
        #expect(try #require(Double(away)) >= 1 && Double(away)! <= most + 0.1)
        expectNoDifference(lines[2], "[\(String(repeating: "#", count: 50))] 0:00 left")
        expectNoDifference(lines[3], "The rental has ended.")
        #expect(!text.contains("\u{1B}"))
      }
    }

    @Test("Without a terminal on standard output there are lines, and no carriage return")
    func linesWithoutTerminal() async throws {
      try await withCountdownSession { session in
        let program = try builtProgramPath("rental-countdown")
        let countdown = try session.launch(JobRequest([program, "--seconds", "1"]))
        #expect(try countdown.waitUntilEnd() == .exited(0))
        let lines = try countdown.waitUntilOutputEnds()
        expectNoDifference(lines.suffix(2), ["0:00 left", "The rental has ended."])
        // A busy machine misses what came before.
        expectNoDifference(lines.dropLast(2).filter { $0 != "0:01 left" }, [])
      }
    }
  }
}
