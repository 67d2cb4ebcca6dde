import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension VerificationCodeTests {
  @Suite("Under job control", .serialized)
  struct JobControlTests {
    @Test("Ctrl-Z, 2 s, fg: the whole transcript, the stay and the remaining time")
    func stopAndResume() async throws {
      try await withCodeSession { code in
        let session = code.session
        let (job, begun) = try measured {
          let job = try code.launch(seconds: 600)
          try job.expectLines([firstLaunch] + launch, thenTickAtMost: 600)
          return job
        }
        let ((down, _), stopped) = try measured { try session.stop(job) }
        expectNoDifference(down, background(4))
        session.idle(for: .seconds(2))
        #expect(job.takeAvailableLines().isEmpty)
        let ((up, _), resumed) = try measured { try session.resume(job) }
        expectNoDifference(up.dropLast().withoutSeconds, foreground(6))
        try expectStay(up, from: stopped, to: resumed)
        try expectRemaining(up.last, of: 600, begun: begun, ticked: resumed)
        let remaining = try #require(up.ticks.last)
        try job.expectLines([], thenTickAtMost: remaining - 1)
      }
    }

    @Test("A deadline that passes while it is stopped is reported on the return, and it exits")
    func deadlineWhileStopped() async throws {
      try await withCodeSession { code in
        try withEnoughTime(1) { seconds in
          let job = try code.launch(seconds: seconds)
          _ = try job.linesThroughTick()
          _ = try code.session.stop(job)
          code.session.idle(for: .seconds(seconds) + .milliseconds(200))
          let up = try code.session.resume(job).lines
          expectNoDifference(up.withoutSeconds, foreground(6) + [tick(0)])
          #expect(try job.waitUntilEnd() == .exited(0))
          expectNoDifference(job.takeAvailableLines(), [finished])
          #expect(try code.launch().nextLine()?.contains("endedProperly") == true)
        }
      }
    }

    @Test("Launched in the background and killed there: killedInBackground")
    func launchedInBackground() async throws {
      try await withCodeSession { code in
        let first = try code.launch { $0.placement = .background }
        expectNoDifference(
          try first.lines { $0.contains("didFinishLaunching") },
          [firstLaunch, event(1, "didFinishLaunching", "background", "source")]
        )
        try code.kill(first)
        #expect(try code.launch().nextLine()?.contains("killedInBackground") == true)
      }
    }

    @Test("In a terminal: a bar, how the last run ended, and that a new code can be requested")
    func terminalShowsBarAndHowLastRunEnded() throws {
      try withEnoughTime(4) { seconds in
        // Each attempt has a terminal and a file of its own.
        let session = try JobControlSession(executable: builtProgramPath("lifecycle-probe"))
        defer { session.close() }
        let code = CodeSession(session)
        let program = try builtProgramPath("verification-code")
        let arguments = [program, "--seconds", "\(seconds)", "--state", code.state]
        let request = with(JobRequest(arguments)) { $0.standardOutput = .terminal }
        let launched = ContinuousClock.now
        let first = try session.launch(request)
        try session.waitForTerminal(toShow: " left")
        // It may have ended by itself.
        kill(first.processID, SIGKILL)
        try requireInTime(try first.waitUntilEnd(), .signaled(SIGKILL))
        let second = try session.launch(request)
        try session.waitForTerminal(toShow: "The last run")
        try session.terminal.type(PseudoTerminal.controlZ)
        let status = try second.nextStatus().status
        // It may also be stopped between its last line and its end.
        if ContinuousClock.now - launched >= .seconds(seconds) { throw TooLate(status) }
        expectNoDifference(status, .stopped(SIGTSTP))
        try session.foreground(second)
        #expect(try second.nextStatus().status == .continued)
        #expect(try second.waitUntilEnd() == .exited(0))

        let text = session.terminal.outputText.replacing("^Z", with: "")
        // The bar of the run that was killed has no end of its line.
        let parts = text.split(separator: /\r\n|\r|left(?=[A-Z])/, omittingEmptySubsequences: true)
        let lines = parts.filter { !$0.hasPrefix("[") }
        try #require(lines.count == 4, "\(text.debugDescription)")
        expectNoDifference(
          lines[0],
          "A code was sent. You can request a new one when the time is up."
        )
        let killed = /The last run was killed in the foreground, \d+\.\d s ago\./
        #expect(lines[1].wholeMatch(of: killed) != nil)
        #expect(lines[2].wholeMatch(of: /Away for \d+\.\d s\./) != nil)
        expectNoDifference(lines[3], "You can request a new code now.")
        #expect(!text.contains("\u{1B}"))
      }
    }
  }
}
