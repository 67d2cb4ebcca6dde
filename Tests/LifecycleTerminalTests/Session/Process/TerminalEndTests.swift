import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension TerminalProcessTests {
  @Suite(
    "The end of a terminal session",
    .serialized,
    .enabled(if: isDashInstalled, "there is no dash in PATH, a shell that leaves a terminal alone")
  )
  struct EndTests {
    @Test(
      "exit and the end of main give the terminal back; Ctrl-\\ is a byte",
      arguments: ["x", "r"]
    )
    func exit(key: String) async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbeInDash()
        try probe.type("\u{1C}")
        _ = try probe.probe.lines { $0.summary == "read \u{1C}" }
        try probe.type(key)
        try expectGivenBackAtTheEnd(probe, status: key == "x" ? 3 : 0)
      }
    }

    @Test(
      "A signal ends the process, and not the loop over the input, after which main returns",
      arguments: [SIGTERM, SIGINT, SIGHUP]
    )
    func loop(signal: CInt) async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbeInDash("--delays-end", command: "terminal-loop")
        kill(probe.process, signal)
        expectNoDifference(
          try probe.probe.lines(through: .willTerminate).summaries,
          ["6 willTerminate source"]
        )
        try expectGivenBackAtTheEnd(probe, status: 128 + signal)
      }
    }

    @Test("exit on another thread does not end the loop over the input")
    func loopAndExit() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbeInDash(command: "terminal-loop")
        kill(probe.process, SIGUSR1)
        try expectGivenBackAtTheEnd(probe, status: 3)
      }
    }

    @Test("A terminal that hangs up ends the process by SIGHUP before the loop over the input")
    func loopAndHangUp() async throws {
      try await withProbeSession { session in
        let terminal = try PseudoTerminal()
        let probe = try session.launchProbe(on: terminal, "terminal-loop")
        terminal.close()
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGHUP))
        expectNoDifference(try probe.remainingLines().events.map(\.kind), [.willTerminate])
      }
    }

    @Test(
      "A session that is created while the process ends, or after exit, never takes the terminal",
      arguments: [("end", SIGTERM, 128 + SIGTERM), ("exit", SIGUSR1, 3)]
    )
    func createdAtTheEnd(moment: String, signal: CInt, status: CInt) async throws {
      try await withProbeSession { session in
        let probe = try session.launchLateSession(at: moment)
        kill(probe.process, signal)
        try expectGivenBackAtTheEnd(probe, status: status, requests: moment == "end" ? 0 : 1)
        let lines = probe.probe.job.lines.filter { $0.contains("has terminal") }
        if moment == "end" {
          #expect(lines.count == 1 && lines.allSatisfy { $0.contains("false") }, "\(lines)")
        }
      }
    }

    @Test("A signal while a session starts ends the process, and the terminal is as it was")
    func signalWhileStarting() async throws {
      try await withProbeSession { session in
        for round in 0..<12 {
          let terminal = try PseudoTerminal()
          let settings = try TerminalSettings(terminal)
          let signal = [SIGTERM, SIGINT, SIGHUP][round % 3]
          let job = try session.launchProbeCommand([
            "starting-session", "--signal", "\(signal)", "--delay", "\(250 * round)",
          ]) { $0.placement = .newSessionOnTerminal(terminal.slavePath) }
          #expect(try job.waitUntilEnd() == .signaled(signal), "round \(round)")
          #expect(try TerminalSettings(terminal) == settings, "round \(round)")
        }
      }
    }

    @Test("If only the session has connected the signals, Ctrl-Z and Ctrl-C give the terminal back")
    func unconnected() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbeInDash("--unconnected")
        try probe.terminal.type(PseudoTerminal.controlZ)
        try probe.waitUntil(state: "T")
        #expect(try probe.currentSettings() == probe.settings)
        try probe.type("fg\n")
        try probe.waitUntilTaken()
        try probe.terminal.type(PseudoTerminal.controlC)
        try expectGivenBackAtTheEnd(probe, status: 128 + SIGINT, requests: 2)
      }
    }

    @Test(
      "A closed session gives the terminal back, ends its input, and makes room for another",
      arguments: ["p", "q"]
    )
    func close(key: String) async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbe()
        try probe.type("o")
        let refusal = try probe.probe.lines { $0.summary.contains("session") }.summaries
        expectNoDifference(
          refusal.last,
          """
          The process already has a terminal session, and its terminal has only one owner. Close the \
          first session, or share it.
          """
        )
        #expect(try probe.currentSettings().isRaw, "the first session stays")
        try probe.type(key)
        _ = try probe.probe.lines(through: .reconnected)
        #expect(try probe.currentSettings().isRaw)
        try probe.expectRequests(on: 2, off: 1)
        expectNoDifference(
          try probe.lines(after: "a").filter { $0 != "input ended" },
          ["read a"]
        )
        try probe.type("c")
        _ = try probe.probe.lines { $0.summary == "disconnected" }
        #expect(try probe.currentSettings() == probe.settings)
      }
    }

    @Test("The input alone keeps the session; the end of its loop gives the terminal back")
    func inputAlone() async throws {
      try await withProbeSession { session in
        let probe = try session.launchTerminalProbe("--input-only")
        expectNoDifference(try probe.lines(after: "a"), ["read a"])
        #expect(try probe.currentSettings().isRaw)
        try probe.type("e")
        _ = try probe.probe.lines { $0.summary == "input ended" }
        try probe.wait { try probe.currentSettings() == probe.settings }
        try probe.expectRequests(on: 1, off: 1)
      }
    }

    @Test("Several threads use a session, and close it: the terminal is given back, once")
    func severalThreads() async throws {
      try await withProbeSession { session in
        // For suspend() to have no effect.
        let probe = try session.launchTerminalProbe { $0.ignoredSignals = .some([SIGTSTP]) }
        try probe.type("t")
        _ = try probe.probe.lines(through: .disconnected)
        #expect(try probe.currentSettings() == probe.settings)
        try probe.expectRequests(on: 1, off: 1)
      }
    }

    @Test("Without the descriptors that it needs, there is no session, and nothing is left open")
    func withoutDescriptors() async throws {
      try await withProbeSession { session in
        let settings = try TerminalSettings(session.terminal)
        let all = try DescriptorAttempts.run(in: session, "--terminal")
        let attempts = try #require(all["terminalSession"])
        for refusal in attempts.refusals {
          #expect(refusal.contains("Too many open files"), "\(refusal)")
        }
        #expect(!attempts.refusals.isEmpty && Set(attempts.opened).count == 1, "\(attempts.opened)")
        #expect(attempts.leftOpen == 0)
        #expect(try TerminalSettings(session.terminal) == settings)
      }
    }

    @Test("A terminal that hangs up ends the input")
    func hangUp() async throws {
      try await withProbeSession { session in
        let terminal = try PseudoTerminal()
        let probe = try session.launchProbe(on: terminal, "terminal", ignoring: .some([SIGHUP]))
        terminal.close()
        _ = try probe.lines { $0.summary == "input ended" }
      }
    }

    @Test("A terminal that takes no output keeps a session neither from its input nor from its end")
    func suspendedOutput() async throws {
      try await withProbeSession { session in
        let terminal = try PseudoTerminal()
        let settings = try TerminalSettings(terminal)
        let probe = try session.launchProbe(on: terminal, "terminal", "--suspends-output")
        #expect(probe.launchLines.summaries.contains("writing: -1, \(EAGAIN)"))
        try session.wait(for: "the terminal to be taken") { try TerminalSettings(terminal).isRaw }
        try terminal.type("ax")
        expectNoDifference(try probe.lines { $0.summary.hasPrefix("read") }.summaries, ["read ax"])
        #expect(try probe.job.waitUntilEnd() == .exited(3))
        #expect(try TerminalSettings(terminal) == settings)
      }
    }

    @Test("Without a controlling terminal, an error says what to do")
    func noTerminal() async throws {
      try await withProbeSession { session in
        let job = try session.launchProbeCommand(["terminal"]) {
          $0.placement = .newSession
          $0.standardInput = .null
          $0.standardError = .lines
        }
        let lines = try job.waitUntilOutputEnds()
        expectNoDifference(
          lines.last,
          """
          Error: The controlling terminal of the process can't be opened: No such device or address. \
          Start the program from a shell in a terminal, or run without a terminal session.
          """
        )
        #expect(try job.waitUntilEnd() == .exited(1))
      }
    }
  }
}

private func expectGivenBackAtTheEnd(
  _ probe: TerminalProbe,
  status: CInt,
  requests: Int = 1
) throws {
  try probe.waitUntilEnded()
  #expect(try probe.currentSettings() == probe.settings)
  try probe.expectRequests(on: requests, off: requests)
  try probe.type("echo status $?\n")
  try probe.probe.job.nextLine("dash") { $0.hasPrefix("status ") }
  #expect(probe.probe.job.lines.last == "status \(status)")
}

extension JobControlSession {
  /// Launches the probe as the leader of a session on another terminal.
  fileprivate func launchProbe(
    on terminal: PseudoTerminal,
    _ arguments: String...,
    ignoring signals: InheritedSignals = .none
  ) throws -> Probe {
    let job = try launchProbeCommand(arguments) {
      $0.placement = .newSessionOnTerminal(terminal.slavePath)
      $0.ignoredSignals = signals
    }
    let probe = Probe(job: job, session: self)
    try probe.waitUntilReady()
    return probe
  }
}
