import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Monitor: record", .serialized, .startsProcesses)
struct MonitorRecordTests {
  static let launch = ["didFinishLaunching", "willEnterForeground", "didBecomeActive"]
  static let background = ["willResignActive", "didEnterBackground"]

  @Test("It ends with the status of the command")
  func statusOfCommand() async throws {
    try await withMonitorSession { monitor in
      let cases: [(script: String, status: CInt)] = [
        ("exit 0", 0), ("exit 3", 3), ("kill -KILL $$", 137), ("kill -TERM $$", 143),
      ]
      for (script, status) in cases {
        let file = monitor.path("\(status)")
        let result = try monitor.run(["record", file, "--", "sh", "-c", script])
        expectNoDifference(result.status, .exited(status), "\(script): \(result.lines)")
      }
      let stories = try cases.map { try #require(monitor.recordings("\($0.status)").first).story }
      let end = Self.background + ["willTerminate"]
      expectNoDifference(
        stories,
        [
          Self.launch + ["exited with 0"] + end, Self.launch + ["exited with 3"] + end,
          Self.launch + ["killed by SIGKILL"], Self.launch + ["killed by SIGTERM"] + end,
        ]
      )
    }
  }

  @Test("127 if the command is not found, 126 if it is not executable; no file is left")
  func commandThatCannotRun() async throws {
    try await withMonitorSession { monitor in
      for (command, status) in [("no-such-command", CInt(127)), ("/tmp", 126)] {
        let result = try monitor.run(["record", monitor.path("life"), "--", command])
        expectNoDifference(result.status, .exited(status))
        #expect(result.lines.count == 1 && result.lines[0].contains("cannot run \(command)"))
        #expect(!FileManager.default.fileExists(atPath: monitor.path("life")))
      }
    }
  }

  @Test("Ctrl-Z stops both, fg continues both, and both are in the recording")
  func stoppedAndContinued() async throws {
    try await withMonitorSession { monitor in
      let job = try monitor.launch(
        ["record", monitor.path("life"), "--", "sh", "-c", "echo ready; read line; exit 5"]
      )
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.session.terminal.type(PseudoTerminal.controlZ)
      #expect(try job.nextStatus().status == .stopped(SIGTSTP))
      try monitor.session.foreground(job)
      #expect(try job.nextStatus().status == .continued)
      try monitor.session.terminal.type("go\n")
      #expect(try job.waitUntilEnd() == .exited(5))
      let recording = try #require(monitor.recordings("life").first)
      expectNoDifference(
        recording.story,
        Self.launch + ["stopped by SIGTSTP"] + Self.background
          + ["continued", "willEnterForeground", "didBecomeActive", "exited with 5"]
          + Self.background + ["willTerminate"]
      )
      expectNoDifference(recording.process.name, "sh")
    }
  }

  /// The commands of bash that end with a stop by SIGSTOP, and whether they wait for Ctrl-Z.
  private static let selfStops: [(commands: String, waitsForKey: Bool)] = [
    ("kill -STOP $$", false),
    // In raw mode, the key is a byte like another.
    ("stty raw -echo; echo ready; head -c 1 >/dev/null; kill -STOP $$; stty cooked echo", true),
    // As top does.
    ("trap 'kill -STOP $BASHPID; x=1' TSTP; echo ready; until [ $x ]; do read -t 0.02; done", true),
    ("exec setsid bash -c 'kill -STOP $$; echo resumed; read line; exit 5'", false),
  ]

  @Test(
    "A command that stops itself by SIGSTOP is stopped as a job, and the terminal works",
    arguments: selfStops
  )
  func stopByItself(commands: String, waitsForKey: Bool) async throws {
    try await withMonitorSession { monitor in
      let script = commands + "; echo resumed; read line; exit 5"
      let job = try monitor.launch(["record", monitor.path("life"), "--", "bash", "-c", script])
      if waitsForKey {
        try job.nextLine("ready") { $0 == "ready" }
        try monitor.session.terminal.type(PseudoTerminal.controlZ)
      }
      #expect(try job.nextStatus().status == .stopped(SIGTSTP))
      #expect(monitor.session.terminal.foregroundGroup == monitor.session.shellProcessID)
      try monitor.session.foreground(job)
      #expect(try job.nextStatus().status == .continued)
      try job.nextLine("resumed") { $0 == "resumed" }
      try monitor.session.terminal.type("go\n")
      #expect(try job.waitUntilEnd() == .exited(5))
      expectNoDifference(
        try #require(monitor.recordings("life").first).story,
        Self.launch + ["stopped by SIGSTOP"] + Self.background
          + ["continued", "willEnterForeground", "didBecomeActive", "exited with 5"]
          + Self.background + ["willTerminate"]
      )
    }
  }

  @Test("A shell in a process group of its own lives in the foreground, and can be suspended")
  func shell() async throws {
    try await withMonitorSession { monitor in
      let bash = ["bash", "--norc", "--noprofile", "--noediting", "-i"]
      let job = try monitor.launch(["record", monitor.path("life"), "--"] + bash) {
        $0.standardOutput = .terminal
        $0.environment = ["HISTFILE": "", "PS1": "prompt> "]
      }
      try monitor.session.waitForTerminal(toShow: "prompt> ")
      for round in 1...2 {
        try monitor.session.terminal.type("suspend\n")
        #expect(try job.nextStatus().status == .stopped(SIGTSTP))
        #expect(monitor.session.terminal.foregroundGroup == monitor.session.shellProcessID)
        try monitor.session.foreground(job)
        #expect(try job.nextStatus().status == .continued)
        try monitor.session.terminal.type("echo round$((\(round)))ends\n")
        try monitor.session.waitForTerminal(toShow: "round\(round)ends")
      }
      try monitor.session.terminal.type("exit 3\n")
      #expect(try job.waitUntilEnd() == .exited(3))
      let suspended = ["stopped by SIGSTOP"] + Self.background
      let resumed = ["continued", "willEnterForeground", "didBecomeActive"]
      expectNoDifference(
        try #require(monitor.recordings("life").first).story,
        Self.launch + suspended + resumed + suspended + resumed + ["exited with 3"]
          + Self.background + ["willTerminate"]
      )
    }
  }

  @Test("Ctrl-C reaches a command that has made a process group, but has not taken the terminal")
  func keyForOtherGroup() async throws {
    try await withMonitorSession { monitor in
      let command = ["timeout", "86400", "sh", "-c", "echo ready; exec sleep 86400"]
      let job = try monitor.launch(["record", monitor.path("life"), "--"] + command)
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.session.terminal.type(PseudoTerminal.controlC)
      #expect(try job.waitUntilEnd().isEnd)
      try job.waitUntilOutputEnds()
    }
  }

  @Test("After the end of a command that had the terminal, what follows in a script has it")
  func terminalOfTheScript() async throws {
    try await withMonitorSession { monitor in
      let hasTerminal = "[ $(ps -o tpgid= -p $$) -eq $(ps -o pgid= -p $$) ]"
      let command = "timeout 86400 sh -c 'until \(hasTerminal); do sleep 0.02; done'"
      let program = try builtProgramPath("lifecycle-monitor")
      let script =
        "\(program) record \(monitor.path("life")) -- \(command); read x; echo \"got $x\""
      let job = try monitor.session.launch(JobRequest(["sh", "-c", script]))
      try monitor.session.terminal.type("hello\n")
      try job.nextLine("the input") { $0 == "got hello" }
      #expect(try job.waitUntilEnd() == .exited(0))
      try job.waitUntilOutputEnds()
    }
  }

  @Test("fg gives the terminal to a command that has made a process group, and continues all of it")
  func foregroundOfOtherGroup() async throws {
    try await withMonitorSession { monitor in
      let script = "trap 'echo continued' CONT; echo ready; while :; do sleep 0.02; done"
      let command = ["timeout", "86400", "sh", "-c", script]
      let job = try monitor.launch(["record", monitor.path("life"), "--"] + command) {
        $0.placement = .background
      }
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.session.foregroundWithoutContinue(job)
      try job.nextLine("the continuation") { $0 == "continued" }
      try monitor.waitForStory { $0 == Self.launch }
      try monitor.session.terminal.type(PseudoTerminal.controlZ)
      #expect(try job.nextStatus().status == .stopped(SIGTSTP))
      try monitor.session.foreground(job)
      #expect(try job.nextStatus().status == .continued)
      try job.nextLine("the continuation") { $0 == "continued" }
      try monitor.session.terminal.type(PseudoTerminal.controlC)
      #expect(try job.waitUntilEnd().isEnd)
      try job.waitUntilOutputEnds()
    }
  }

  @Test("Without a terminal, a stop of the command is a pause; a signal is passed on, once")
  func pauseAndForwardedSignal() async throws {
    try await withMonitorSession { monitor in
      let script = #"trap 'echo term' TERM; echo $$; while :; do sleep 0.05; done"#
      let job = try monitor.launch(["record", monitor.path("life"), "--", "sh", "-c", script]) {
        $0.placement = .newSession
        $0.standardInput = .null
      }
      let command = try #require(try pid_t(job.nextLine() ?? ""))
      expectNoDifference(kill(command, SIGSTOP), 0)
      try monitor.waitForStory { $0.last == "stopped by SIGSTOP" }
      expectNoDifference(kill(command, SIGCONT), 0)
      try monitor.waitForStory { $0.last == "processWasPaused" }
      try monitor.session.signal(SIGTERM, job)
      try job.nextLine("term") { $0 == "term" }
      expectNoDifference(kill(command, SIGKILL), 0)
      #expect(try job.waitUntilEnd() == .exited(137))
      expectNoDifference(try job.waitUntilOutputEnds().filter { $0 == "term" }, ["term"])
      let findings = try FlightFile(contentsOf: monitor.path("life")).findings()
      #expect(findings.map(\.description).contains { $0.hasPrefix("The process was paused") })
      #expect(findings.contains { $0.content == .noTermination })
    }
  }

  @Test("A stop is in the file before the recorder stops")
  func killedWhileStopped() async throws {
    try await withMonitorSession { monitor in
      let job = try monitor.launch(
        ["record", monitor.path("life"), "--", "sh", "-c", "echo ready; exec sleep 86400"]
      )
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.session.terminal.type(PseudoTerminal.controlZ)
      #expect(try job.nextStatus().status == .stopped(SIGTSTP))
      try monitor.session.signalGroup(SIGKILL, job)
      #expect(try job.waitUntilEnd() == .signaled(SIGKILL))
      expectNoDifference(
        try monitor.recordings("life").map(\.story),
        [Self.launch + ["stopped by SIGTSTP"] + Self.background]
      )
    }
  }

  @Test("A file is only changed if the command runs, and only if it is a recording")
  func fileThatIsKept() async throws {
    try await withMonitorSession { monitor in
      let file = monitor.path("life")
      func record(_ option: String, _ command: String) throws -> JobStatus {
        try monitor.run(["record", option, file, "--", command]).status
      }
      try "# A text\n".write(toFile: file, atomically: false, encoding: .utf8)
      #expect(try record("--force", "no-such-command") == .exited(127))
      #expect(try record("--append", "no-such-command") == .exited(65))
      #expect(try record("--append", "true") == .exited(65))
      expectNoDifference(try String(contentsOfFile: file, encoding: .utf8), "# A text\n")
      try Data().write(to: URL(filePath: file))
      #expect(try record("--append", "true") == .exited(0))
      #expect(try monitor.recordings("life").count == 1)
      #expect(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
      #expect(try record("--append", "true") == .exited(73))
      #expect(try record("--force", "true") == .exited(73))
    }
  }

  @Test("The sources of the machine's sleep, clock changes, and pauses are connected")
  func sourcesOfTheMachine() async throws {
    try await withMonitorSession { monitor in
      let result = try monitor.run(["record", monitor.path("life"), "--", "true"]) {
        $0.environment["MEMORY_PRESSURE_WATCH"] = ""
      }
      expectNoDifference(result.status, .exited(0))
      let recording = try #require(monitor.recordings("life").first)
      let connected = recording.records.compactMap { record -> String? in
        if case .connected(let source) = record.content { source.name.rawValue } else { nil }
      }
      expectNoDifference(
        connected,
        ["command", "systemClock", "processPauses", "memoryPressure"]
      )
    }
  }

  @Test("An existing file is kept, unless a run is added or it is replaced")
  func existingFile() async throws {
    try await withMonitorSession { monitor in
      let file = monitor.path("life")
      func record(_ options: [String]) throws -> (status: JobStatus, lines: [String]) {
        try monitor.run(["record"] + options + [file, "--", "echo", "hello"])
      }
      #expect(try record([]).status == .exited(0))
      let refused = try record([])
      expectNoDifference(refused.status, .exited(73))
      #expect(refused.lines.count == 1 && refused.lines[0].contains("it exists"))
      #expect(try record(["--append"]).status == .exited(0))
      #expect(try monitor.recordings("life").count == 2)
      #expect(try record(["--force"]).status == .exited(0))
      #expect(try monitor.recordings("life").count == 1)
      #expect(try record(["--force", "--append"]).status == .exited(64))
      let elsewhere = try monitor.run(["record", "/no/such/folder/x", "--", "echo", "hello"])
      #expect(elsewhere.status == .exited(73) && !elsewhere.lines.contains("hello"))
    }
  }

  @Test("A read in the background stops both, and fg continues both")
  func readInBackground() async throws {
    try await withMonitorSession { monitor in
      let script = #"echo ready; read line; echo "got $line"; exit 5"#
      let job = try monitor.launch(["record", monitor.path("life"), "--", "sh", "-c", script]) {
        $0.placement = .background
      }
      #expect(try job.nextStatus().status == .stopped(SIGTTIN))
      let stopped = ["didFinishLaunching", "stopped by SIGTTIN"]
      // In the file before the recorder stops.
      expectNoDifference(try monitor.recordings("life").map(\.story), [stopped])
      try monitor.session.foreground(job)
      #expect(try job.nextStatus().status == .continued)
      try monitor.session.terminal.type("go\n")
      #expect(try job.waitUntilEnd() == .exited(5))
      #expect(try job.waitUntilOutputEnds().contains("got go"))
      expectNoDifference(
        try #require(monitor.recordings("life").first).story,
        stopped + ["continued", "willEnterForeground", "didBecomeActive", "exited with 5"]
          + Self.background + ["willTerminate"]
      )
    }
  }

  @Test("Any signal that a program can handle is passed on; the terminal's own is there already")
  func anySignal() async throws {
    try await withMonitorSession { monitor in
      let realTime = __libc_current_sigrtmin() + 3
      let signals = [SIGALRM, SIGWINCH, SIGPIPE, SIGURG, SIGUSR2, realTime]
      let traps = signals.map { "trap 'echo caught \($0)' \($0); " }.joined()
      let script = traps + "trap 'exit 7' TERM; echo ready; while :; do sleep 0.02; done"
      let job = try monitor.launch(["record", monitor.path("life"), "--", "bash", "-c", script])
      try job.nextLine("ready") { $0 == "ready" }
      for signal in signals {
        try monitor.session.signal(signal, job)
        try job.nextLine("caught \(signal)") { $0 == "caught \(signal)" }
      }
      try monitor.session.terminal.resize(rows: 30, columns: 100)
      try job.nextLine("the new size") { $0 == "caught \(SIGWINCH)" }
      try monitor.session.signal(SIGTERM, job)
      #expect(try job.waitUntilEnd() == .exited(7))
      let caught = try job.waitUntilOutputEnds().filter { $0.hasPrefix("caught") }
      expectNoDifference(caught, (signals + [SIGWINCH]).map { "caught \($0)" })
    }
  }

  @Test("A file that another recorder writes is not replaced; the command runs")
  func fileInUse() async throws {
    try await withMonitorSession { monitor in
      let file = monitor.path("life")
      let job = try monitor.launch(
        ["record", file, "--", "sh", "-c", "echo ready; exec sleep 86400"]
      )
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.waitForStory { $0.last == "didBecomeActive" }
      let before = try Data(contentsOf: URL(filePath: file))
      let result = try monitor.run(["record", "--force", file, "--", "echo", "hello"])
      expectNoDifference(result.status, .exited(0))
      #expect(result.lines.count == 2 && result.lines.contains("hello"), "\(result.lines)")
      #expect(result.lines.contains { $0.contains("another recorder writes it") })
      #expect(try Data(contentsOf: URL(filePath: file)).starts(with: before))
      #expect(try monitor.recordings("life").count == 1)
      try monitor.session.signalGroup(SIGKILL, job)
      #expect(try job.waitUntilEnd() == .signaled(SIGKILL))
    }
  }

  @Test("As the leader of the session, which alone receives a hang-up, it passes it on")
  func leaderOfSession() async throws {
    try await withMonitorSession { monitor in
      let leader = monitor.path("leader")
      let program = try builtProgramPath("lifecycle-monitor")
      let script = """
        #!/bin/sh
        export MEMORY_PRESSURE_WATCH=/dev/null
        exec '\(program)' record '\(monitor.path("life"))' -- sh -c 'echo ready; exec sleep 86400'
        """
      // The shell writes it: a child of another test would hold the file if this process had opened
      // it, and it could not be run.
      let write = #"printf '%s\n' "$1" >"$0" && chmod +x "$0""#
      let writer = try monitor.session.launch(JobRequest(["/bin/sh", "-c", write, leader, script]))
      #expect(try writer.waitUntilEnd() == .exited(0))
      let session = try JobControlSession(executable: leader)
      defer { session.close() }
      try session.waitForTerminal(toShow: "ready")
      try monitor.waitForStory { $0.last == "didBecomeActive" }
      session.terminal.close()
      try session.wait(for: "the end of the leader") { session.hasShellExited }
      expectNoDifference(
        try monitor.recordings("life").map(\.story),
        [
          [
            "didFinishLaunching", "willEnterForeground", "didBecomeActive", "killed by SIGHUP",
            "willResignActive", "didEnterBackground", "willTerminate",
          ]
        ]
      )
    }
  }

  @Test("A command that survives the hang-up in the background wakes it no more")
  func backgroundWithoutTerminal() async throws {
    try await withMonitorSession { monitor in
      let pipe = monitor.path("pipe")
      expectNoDifference(mkfifo(pipe, 0o600), 0)
      let script = "trap 'echo hup' HUP; echo ready; while :; do read line <'\(pipe)'; done"
      let job = try monitor.launch(["record", monitor.path("life"), "--", "sh", "-c", script])
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.session.terminal.type(PseudoTerminal.controlZ)
      #expect(try job.nextStatus().status == .stopped(SIGTSTP))
      try monitor.session.continueInBackground(job)
      try monitor.waitForStory { $0.last == "continued" }
      monitor.session.terminal.close()
      try job.nextLine("hup") { $0 == "hup" }
      func waits() -> Int? { ThreadStatus.all(of: job.processID).first?.waits }
      try monitor.session.wait(for: "a second without being woken") {
        let before = try #require(waits())
        monitor.session.idle(for: .seconds(1))
        return waits() == before
      }
      #expect(try monitor.recordings("life").first?.story.last == "continued")
      try monitor.session.signalGroup(SIGKILL, job)
      #expect(try job.waitUntilEnd() == .signaled(SIGKILL))
    }
  }
}
