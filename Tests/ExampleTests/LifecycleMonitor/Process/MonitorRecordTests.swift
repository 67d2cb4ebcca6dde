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

  @Test("record ends with the status of its command, or by the same signal")
  func statusOfCommand() async throws {
    try await withMonitorSession { monitor in
      let cases: [(script: String, status: JobStatus)] = [
        ("exit 0", .exited(0)), ("exit 3", .exited(3)), ("kill -KILL $$", .signaled(SIGKILL)),
        ("kill -TERM $$", .signaled(SIGTERM)),
      ]
      for (script, status) in cases {
        let file = monitor.path("\(status)")
        let result = try monitor.run(["record", file, "--", "sh", "-c", script])
        expectNoDifference(result.status, status, "\(script): \(result.lines)")
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

  @Test("Ctrl-C ends record, its command, and the shell loop around them")
  func loopOfShell() async throws {
    try await withMonitorSession { monitor in
      let program = try builtProgramPath("lifecycle-monitor")
      let record = "\(program) record \(monitor.path("life"))$n"
      let command = "sh -c 'echo ready; exec sleep 86400'"
      let script = "for n in 1 2; do \(record) -- \(command); done; echo on"
      let job = try monitor.session.launch(JobRequest(["bash", "-c", script]))
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.session.terminal.type(PseudoTerminal.controlC)
      // Were the loop to go on, this would be for its second command.
      try monitor.session.terminal.type(PseudoTerminal.controlC)
      #expect(try job.waitUntilEnd() == .signaled(SIGINT))
      expectNoDifference(try job.waitUntilOutputEnds(), ["ready"])
    }
  }

  private static let unshare = [
    "unshare", "--pid", "--fork", "--kill-child", "--mount-proc",
  ]

  @Test(
    "As process 1, record reaps orphans, and exits with 128 plus the signal",
    .enabled(
      if: (try? runProgram("/usr/bin/env", unshare + ["true"]))?.status == .exited(0),
      "needs unshare --pid --mount-proc"
    )
  )
  func processOne() async throws {
    try await withMonitorSession { monitor in
      let program = try builtProgramPath("lifecycle-monitor")
      let script = """
        for n in 1 2 3 4 5; do (true &); done
        while [ $(grep -ls '^PPid:.1$' /proc/[0-9]*/status | wc -l) -gt 1 ]; do sleep 0.02; done
        echo reaped; kill -TERM $$
        """
      let record = [program, "record", monitor.path("life"), "--", "sh", "-c", script]
      let job = try monitor.session.launch(
        with(JobRequest(Self.unshare + record)) {
          ($0.placement, $0.standardInput) = (.newSession, .null)
        }
      )
      #expect(try job.waitUntilEnd() == .exited(128 + SIGTERM))
      expectNoDifference(try job.waitUntilOutputEnds(), ["reaped"])
    }
  }

  @Test("The status is 127 for a missing command, and 126 for one that is not executable")
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

  @Test("Ctrl-Z stops record and its command, fg continues them, and both are recorded")
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

  @Test("After a command that had the terminal, the rest of a script has it")
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
      #expect(try job.waitUntilEnd() == .signaled(SIGKILL))
      expectNoDifference(try job.waitUntilOutputEnds().filter { $0 == "term" }, ["term"])
      let findings = try FlightFile(contentsOf: monitor.path("life")).findings()
      #expect(findings.map(\.description).contains { $0.hasPrefix("The process was paused") })
      #expect(findings.contains { $0.content == .noTermination })
    }
  }

  @Test("A file is only changed if the command runs: --append adds its run, --force replaces all")
  func existingFile() async throws {
    try await withMonitorSession { monitor in
      let file = monitor.path("life")
      func record(_ options: String..., command: String) throws -> JobStatus {
        try monitor.run(["record"] + options + [file, "--", command]).status
      }
      try "# A text\n".write(toFile: file, atomically: false, encoding: .utf8)
      #expect(try record("--force", command: "no-such-command") == .exited(127))
      #expect(try record("--append", command: "no-such-command") == .exited(127))
      #expect(try record("--force", "--append", command: "true") == .exited(64))
      expectNoDifference(try String(contentsOfFile: file, encoding: .utf8), "# A text\n")
      expectNoDifference(monitor.directory.names, ["life"])
      try Data().write(to: URL(filePath: file))
      for (option, count) in [("--append", 1), ("--append", 2), ("--force", 1)] {
        #expect(try record(option, command: "true") == .exited(0))
        #expect(try monitor.recordings("life").count == count)
      }
    }
  }

  /// What is at the path, by a command of sh in its folder, and what the message names.
  private static let unusableFiles: [(setUp: String, option: String, reason: String)] = [
    ("printf '# A text' >life.jsonl", "--append", "not a recording"),
    ("head -c 1000 /dev/zero >life.jsonl", "--append", "not a recording"),
    (#"printf '{"format":"lifecycle-rec' >life.jsonl"#, "--append", "not a recording"),
    (
      #"printf '{"format":"lifecycle-recording","version":9}\n' >life.jsonl"#, "--append",
      "version 9"
    ),
    ("touch life.jsonl", "", "--append or --force"),
    ("ln -s nowhere life.jsonl", "", "--append or --force"),
  ]

  @Test(
    "The command runs, and is recorded beside a file that can't be used",
    arguments: unusableFiles
  )
  func unusableFile(setUp: String, option: String, reason: String) async throws {
    try await withMonitorSession { monitor in
      _ = try runProgram("/bin/sh", ["-c", "cd '\(monitor.directory.path)'; \(setUp)"])
      let before = monitor.directory.bytes("life.jsonl")
      let options = option.isEmpty ? [] : [option]
      for round in 1...2 {
        let result = try monitor.run(
          ["record"] + options + [monitor.path("life.jsonl"), "--", "echo", "hello"]
        )
        expectNoDifference(result.status, .exited(0), "\(result.lines)")
        expectNoDifference(result.lines.count { $0 == "hello" }, 1)
        let message = result.lines.first { $0.hasPrefix("lifecycle-monitor: ") } ?? ""
        #expect(message.contains(reason), "\(message)")
        let other = option.isEmpty && round == 2 ? "life-3.jsonl" : "life-2.jsonl"
        #expect(message.contains(other), "\(message)")
        let count = option.isEmpty ? 1 : round
        expectNoDifference(try monitor.recordings(other).count, count)
      }
      expectNoDifference(monitor.directory.bytes("life.jsonl"), before)
    }
  }

  @Test("The command runs without a recording if no file can be created, or a pipe is there")
  func noFile() async throws {
    try await withMonitorSession { monitor in
      let pipe = monitor.path("pipe")
      expectNoDifference(mkfifo(pipe, 0o600), 0)
      let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      defer { close(reader) }
      for file in ["/no/such/folder/x", pipe, monitor.directory.path] {
        for options in [[], ["--append"]] {
          let result = try monitor.run(
            ["record"] + options + [file, "--", "sh", "-c", "exit 3"]
          )
          expectNoDifference(result.status, .exited(3))
          #expect(result.lines.count == 1 && result.lines[0].contains("not recorded"))
        }
      }
      expectNoDifference(monitor.directory.names, ["pipe"])
      // A writer that comes and goes is the end for a reader.
      var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      expectNoDifference(poll(&request, 1, 0), 0)
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

  @Test("A read in the background stops record and its command, and fg continues them")
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

  @Test("A signal is passed on to the command once, also those of the terminal")
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

  @Test("As the session leader, record passes a hang-up on")
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
}
