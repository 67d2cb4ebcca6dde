import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

@Suite("Job control", .serialized, .startsProcesses)
struct JobControlTests {
  @Test("Ctrl-Z stops the foreground job and gives the terminal back to the shell")
  func controlZStops() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let cat = try session.launch(JobRequest(["cat"]))
      expectNoDifference(session.terminal.foregroundGroup, cat.processID)
      try session.terminal.type(PseudoTerminal.controlZ)
      #expect(try cat.nextStatus().status == .stopped(SIGTSTP))
      expectNoDifference(ProcessSnapshot(cat.processID)?.state, "T")
      expectNoDifference(session.terminal.foregroundGroup, session.shellProcessID)
    }
  }

  @Test("fg continues a stopped job, which then reads from the terminal again")
  func foregroundContinues() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let cat = try session.launch(JobRequest(["cat"]))
      try session.terminal.type(PseudoTerminal.controlZ)
      #expect(try cat.nextStatus().status == .stopped(SIGTSTP))
      try session.foreground(cat)
      #expect(try cat.nextStatus().status == .continued)
      try session.terminal.type("hello\n")
      #expect(try cat.nextLine() == "hello")
    }
  }

  @Test("A job that ends as soon as it has continued is reported as continued all the same")
  func continuedAndEnded() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let job = try session.launch(JobRequest(["sh", "-c", "kill -STOP $$; exit 3"]))
      #expect(try job.nextStatus().status == .stopped(SIGSTOP))
      // The shell looks when it is all over.
      kill(session.shellProcessID, SIGSTOP)
      kill(job.processID, SIGCONT)
      while ProcessSnapshot(job.processID)?.state != "Z" { session.idle(for: .milliseconds(1)) }
      kill(session.shellProcessID, SIGCONT)
      #expect(try job.nextStatus().status == .continued)
      #expect(try job.nextStatus().status == .exited(3))
    }
  }

  @Test("Ctrl-C kills the foreground job by SIGINT and not the shell")
  func controlCKills() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let sleep = try session.launch(JobRequest(["sleep", "100"]))
      try session.terminal.type(PseudoTerminal.controlC)
      #expect(try sleep.nextStatus().status == .signaled(SIGINT))
      let next = try session.launch(JobRequest(["sh", "-c", "exit 7"]))
      #expect(try next.nextStatus().status == .exited(7))
    }
  }

  @Test("a job in the background that reads from the terminal is stopped by SIGTTIN")
  func backgroundReadStops() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let cat = try session.launch(JobRequest(["cat"]))
      try session.terminal.type(PseudoTerminal.controlZ)
      #expect(try cat.nextStatus().status == .stopped(SIGTSTP))
      try session.background(cat)
      // Continued and stopped again, perhaps too quickly for the first to be seen.
      var status = try cat.nextStatus().status
      if status == .continued { status = try cat.nextStatus().status }
      expectNoDifference(status, .stopped(SIGTTIN))
    }
  }

  @Test("a job launched in the background does not own the terminal, and gets it by fg alone")
  func foregroundWithoutContinue() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let sleep = try session.launch(
        with(JobRequest(["sleep", "100"])) { $0.placement = .background }
      )
      expectNoDifference(session.terminal.foregroundGroup, session.shellProcessID)
      try session.foregroundWithoutContinue(sleep)
      expectNoDifference(session.terminal.foregroundGroup, sleep.processID)
      try session.terminal.type(PseudoTerminal.controlC)
      #expect(try sleep.nextStatus().status == .signaled(SIGINT))
    }
  }

  @Test("signals reach the process or its group, and their order is kept")
  func signalsReachProcessOrItsGroup() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let script = "trap 'echo usr1' USR1; trap 'echo usr2; exit 3' USR2; echo ready; "
      let shell = try session.launch(
        JobRequest(["sh", "-c", script + "while :; do sleep 0.01; done"])
      )
      #expect(try shell.nextLine() == "ready")
      try session.signal(SIGUSR1, shell)
      #expect(try shell.nextLine() == "usr1")
      try session.signal(SIGUSR2, shell)
      #expect(try shell.nextLine() == "usr2")
      #expect(try shell.waitUntilEnd() == .exited(3))
      #expect(try shell.nextLine() == nil)
    }
  }

  @Test(
    "dispositions and masks are inherited as asked for, and else are the default ones",
    arguments: [
      (InheritedSignals.none, InheritedSignals.none, UInt64(0), UInt64(0)),
      (.some([SIGHUP, SIGTSTP]), .none, 0x8_0001, 0),
      (.none, .all, 0, ~0),
    ]
  )
  func dispositionsAndMasksAreInheritedAsAskedFor(
    ignored: InheritedSignals,
    blocked: InheritedSignals,
    expectedIgnored: UInt64,
    expectedBlocked: UInt64
  ) async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let sleep = try session.launch(
        with(JobRequest(["sleep", "100"])) {
          $0.ignoredSignals = ignored
          $0.blockedSignals = blocked
        }
      )
      let snapshot = try #require(ProcessSnapshot(sleep.processID))
      // 32 and 33 are the C library's own. SIGKILL and SIGSTOP cannot be blocked.
      let standard: UInt64 = 0x7fff_ffff
      let unblockable = ProcessSnapshot.bit(SIGKILL) | ProcessSnapshot.bit(SIGSTOP)
      expectNoDifference(snapshot.ignored & standard, expectedIgnored)
      expectNoDifference(snapshot.blocked & standard, expectedBlocked & standard & ~unblockable)
      expectNoDifference(snapshot.caught, 0)
    }
  }

  @Test("a job in a session of its own has no controlling terminal")
  func newSession() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let job = try session.launch(
        with(JobRequest(["sh", "-c", "(: </dev/tty) 2>/dev/null && echo tty || echo none"])) {
          $0.placement = .newSession
          $0.standardInput = .null
        }
      )
      #expect(try job.nextLine() == "none")
    }
  }

  @Test("Ctrl-Z never stops a job that leads the session of its own terminal")
  func orphanedGroup() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let terminal = try PseudoTerminal()
      let cat = try session.launch(
        with(JobRequest(["cat"])) { $0.placement = .newSessionOnTerminal(terminal.slavePath) }
      )
      expectNoDifference(terminal.foregroundGroup, cat.processID)
      try terminal.type(PseudoTerminal.controlZ)
      try terminal.type("still here\n")
      #expect(try cat.nextLine() == "still here")
      #expect(cat.statuses.isEmpty)
    }
  }

  @Test("standard output can be the terminal")
  func terminalOutput() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let job = try session.launch(
        with(JobRequest(["sh", "-c", "test -t 1 && stty size"])) {
          $0.standardOutput = .terminal
        }
      )
      try session.waitForTerminal(toShow: "24 80")
      #expect(try job.waitUntilEnd() == .exited(0))
      #expect(job.lines.isEmpty)
    }
  }

  @Test("only the standard descriptors are inherited")
  func onlyStandardDescriptorsAreInherited() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let job = try session.launch(JobRequest(["ls", "/proc/self/fd"]))
      // 3 is the directory that ls reads.
      #expect(try job.waitUntilOutputEnds() == ["0", "1", "2", "3"])
    }
  }

  @Test("variables are added to the environment")
  func variablesAreAddedToEnvironment() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let job = try session.launch(
        with(JobRequest(["sh", "-c", "echo $COLOUR; echo ${PATH:+path}"])) {
          $0.environment = ["COLOUR": "dark blue"]
        }
      )
      #expect(try job.waitUntilOutputEnds() == ["dark blue", "path"])
    }
  }
}
