import CountdownTestSupport
import CustomDump
import Foundation
import JobControl
import ProcessTestSupport
import Testing

extension CountdownTests {
  @Suite("In a terminal", .serialized)
  struct TerminalTests {
    @Test("The bar is redrawn in place; after fg it says how long it was away; at zero it says so")
    func bar() async throws {
      try await withCountdownSession { session in
        let program = try builtProgramPath("rental-countdown")
        let countdown = try session.launch(
          with(JobRequest([program, "--seconds", "3"])) { $0.standardOutput = .terminal }
        )
        try session.waitForTerminal(toShow: "] 0:03 left")
        try session.terminal.type(PseudoTerminal.controlZ)
        #expect(try countdown.nextStatus().status == .stopped(SIGTSTP))
        session.idle(for: .milliseconds(1100))
        try session.foreground(countdown)
        #expect(try countdown.nextStatus().status == .continued)
        #expect(try countdown.waitUntilEnd() == .exited(0))

        let text = session.terminal.outputText.replacing("^Z", with: "")
        let lines = text.split(separator: "\r\n").map { $0.split(separator: "\r").last ?? "" }
        #expect(lines.count == 4, "\(text.debugDescription)")
        #expect(lines.first?.hasSuffix(" left") == true)
        #expect(lines[1].wholeMatch(of: /Away for [12]\.\d s\./) != nil)
        #expect(lines[2] == "[\(String(repeating: "#", count: 50))] 0:00 left")
        #expect(lines[3] == "The rental is over.")
        #expect(!text.contains("\u{1B}"))
      }
    }

    @Test("Without a terminal on standard output there are lines, and no carriage return")
    func lines() async throws {
      try await withCountdownSession { session in
        let program = try builtProgramPath("rental-countdown")
        let countdown = try session.launch(JobRequest([program, "--seconds", "1"]))
        #expect(try countdown.waitUntilEnd() == .exited(0))
        expectNoDifference(
          try countdown.waitUntilOutputEnds(),
          ["0:01 left", "0:00 left", "The rental is over."]
        )
      }
    }
  }
}
