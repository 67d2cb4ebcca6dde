import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension TerminalProcessTests {
  @Suite(
    "Stop and continue",
    .serialized,
    .enabled(if: isDashInstalled, "there is no dash in PATH, a shell that leaves a terminal alone")
  )
  struct StopTests {
    @Test("Input that a slow program has not read when it stops is not left to the shell")
    func unreadInput() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbeInDash("--readers", "0")
        let before = try probe.bytesRead()
        try probe.type(String(repeating: "a", count: 66_000))
        try probe.wait { try probe.bytesRead() - before >= 65_536 }
        // The session reads no more.
        try probe.type(String(repeating: "a", count: 1_000) + "\u{1B}[O")
        try probe.wait { try probe.unreadBytes() >= 1_003 }
        kill(probe.process, SIGTSTP)
        try probe.waitUntil(state: "T")
        try probe.type("\necho end\n")
        try probe.probe.job.nextLine("dash") { $0.hasSuffix("end") }
        #expect(!probe.terminal.outputText.contains("aaa"), "a command of these keys, refused")
        try probe.type("fg\n")
        try probe.waitUntilTaken()
      }
    }

    @Test("After bg the terminal is left alone; with the later fg it is taken")
    func backgroundThenForeground() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbeInDash()
        try probe.terminal.type(PseudoTerminal.controlZ)
        try probe.waitUntil(state: "T")
        try probe.type("bg\n")
        try probe.waitUntil(state: "S")
        try expectUntouchedForASecond(probe, requests: (1, 1))
        _ = try probe.probe.availableLines()
        try probe.type("fg\n")
        expectNoDifference(
          try probe.probe.lines(through: .didBecomeActive).summaries,
          foreground
        )
        #expect(try probe.currentSettings().isRaw)
        try probe.expectRequests(on: 2, off: 1)
        try probe.type("x")
        try probe.waitUntilEnded()
        #expect(try probe.currentSettings() == probe.settings)
      }
    }

    @Test("A job that goes to the background while it uses the terminal is not stopped for that")
    func useInBackground() async throws {
      try await withProbeSession { session in
        let job = try session.launchProbeCommand(["background-terminal"]) {
          $0.placement = .background
        }
        try #require(try job.nextStatus().status == .exited(0))
        let lines = try Probe(job: job, session: session).remainingLines()
        expectNoDifference(lines.summaries, ["done"])
      }
    }

    @Test("Begun in the background, the session leaves the terminal alone until fg")
    func begunInBackground() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbeInDash(background: true)
        try expectUntouchedForASecond(probe, requests: (0, 0))
        try probe.type("fg\n")
        try probe.waitUntilTaken()
        expectNoDifference(
          try probe.probe.lines(through: .didBecomeActive).summaries,
          [
            "2 willEnterForeground synthesized", "has terminal: true", "3 didBecomeActive source",
          ]
        )
        try probe.expectRequests(on: 1, off: 0)
      }
    }

    @Test("A session that is created while the process stops takes the terminal with fg")
    func createdAtAStop() async throws {
      try await withProbeSession { session in
        let probe = try session.launchLateSession(at: "stop")
        try probe.terminal.type(PseudoTerminal.controlZ)
        try probe.waitUntil(state: "T")
        #expect(try probe.currentSettings() == probe.settings)
        try probe.expectRequests(on: 0, off: 0)
        try probe.type("fg\n")
        try probe.waitUntilTaken()
        kill(probe.process, SIGKILL)
      }
    }

    @Test("kill -STOP, a shell that resets the terminal, and fg: the session takes it again")
    func stopUnseen() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbe()
        try session.signal(SIGSTOP, probe.probe.job)
        #expect(try probe.probe.job.nextStatus().status == .stopped(SIGSTOP))
        #expect(try probe.currentSettings() == probe.settings)
        try session.foreground(probe.probe.job)
        try probe.waitUntilTaken()
        expectNoDifference(try probe.lines(after: "a"), ["read a"])
        // What is restored are the settings from before, not those from the second time.
        try probe.type("c")
        _ = try probe.probe.lines(through: .disconnected)
        #expect(try probe.currentSettings() == probe.settings)
      }
    }

    @Test("suspend() returns before the observers, and the whole job stops, as by Ctrl-Z")
    func suspend() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbeInDash("--signal-keys", "none")
        try probe.type("s")
        try probe.waitUntil(state: "T")
        // An observer waits for the call to return.
        let lines = try probe.probe.lines(through: .didEnterBackground).summaries
        let notes = ["read s", "suspend returned"]
        expectNoDifference(lines.filter { !notes.contains($0) }, background)
        #expect(notes.allSatisfy(lines.contains))
        #expect(try probe.currentSettings() == probe.settings)
        try probe.type("echo stopped\n")
        try probe.probe.job.nextLine("dash") { $0 == "stopped" }
        try probe.type("fg\n")
        _ = try probe.probe.lines(through: .didBecomeActive)
        #expect(try probe.currentSettings().isRaw)
      }
    }

    @Test("On Ctrl-Z the terminal is given back before the process stops; on fg it is taken again")
    func controlZ() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbeInDash()
        #expect(try probe.currentSettings().isRaw)
        for count in 1...3 {
          try probe.terminal.type(PseudoTerminal.controlZ)
          try probe.waitUntil(state: "T")
          #expect(try probe.currentSettings() == probe.settings)
          try probe.expectRequests(on: count, off: count)
          let down = try probe.probe.lines(through: .didEnterBackground).summaries
          try probe.type("fg\n")
          let up = try probe.probe.lines(through: .didBecomeActive).summaries
          #expect(try probe.currentSettings().isRaw)
          try probe.expectRequests(on: count + 1, off: count)
          if count == 1 { expectNoDifference(down + up, background + foreground) }
        }
        expectNoDifference(try probe.lines(after: "a"), ["read a"])
        // A focus that was lost before the stop does not outlive it.
        try probe.type("\u{1B}[O")
        _ = try probe.probe.lines(through: .willResignActive)
        try probe.terminal.type(PseudoTerminal.controlZ)
        try probe.waitUntil(state: "T")
        _ = try probe.probe.lines(through: .didEnterBackground)
        try probe.type("fg\n")
        expectNoDifference(
          try probe.probe.lines(through: .didBecomeActive).events.map(\.kind),
          [.willEnterForeground, .didBecomeActive]
        )
      }
    }
  }
}

private func expectUntouchedForASecond(
  _ probe: TerminalProbe,
  requests: (on: Int, off: Int)
) throws {
  for _ in 0..<10 {
    probe.session.idle(for: .milliseconds(100))
    #expect(try probe.currentSettings() == probe.settings)
  }
  try probe.expectRequests(on: requests.on, off: requests.off)
}

let isDashInstalled = ProgramCapability.isInPath("dash")
