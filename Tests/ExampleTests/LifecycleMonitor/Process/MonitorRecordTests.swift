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

  @Test("After bg the command runs in the background, and fg without a signal is noticed")
  func continuedInBackground() async throws {
    try await withMonitorSession { monitor in
      expectNoDifference(mkfifo(monitor.path("p"), 0o600), 0)
      let job = try monitor.launch(
        [
          "record", monitor.path("life"), "--", "sh", "-c",
          "echo ready; read l <\(monitor.path("p"))",
        ]
      ) { $0.environment["LC_ALL"] = "C" }
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.session.terminal.type(PseudoTerminal.controlZ)
      #expect(try job.nextStatus().status == .stopped(SIGTSTP))
      try monitor.session.continueInBackground(job)
      try monitor.waitForStory { $0.last == "continued" }
      try monitor.session.foregroundWithoutContinue(job)
      try monitor.waitForStory { $0.last == "didBecomeActive" }
      try monitor.session.signal(SIGTERM, job)
      #expect(try job.waitUntilEnd() == .exited(143))
    }
  }

  @Test("A SIGSTOP of the command is a pause; a signal to the recorder is passed on, once")
  func pauseAndForwardedSignal() async throws {
    try await withMonitorSession { monitor in
      let script = #"trap 'echo term' TERM; echo $$; while :; do sleep 0.05; done"#
      let job = try monitor.launch(["record", monitor.path("life"), "--", "sh", "-c", script])
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

  @Test("Ctrl-C reaches the command once, which may go on")
  func interruptKey() async throws {
    try await withMonitorSession { monitor in
      let script = #"trap 'echo int' INT; echo ready; while :; do sleep 0.05; done"#
      let job = try monitor.launch(["record", monitor.path("life"), "--", "sh", "-c", script])
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.session.terminal.type(PseudoTerminal.controlC)
      try job.nextLine("int") { $0 == "int" }
      try monitor.session.signalGroup(SIGKILL, job)
      #expect(try job.waitUntilEnd() == .signaled(SIGKILL))
      expectNoDifference(job.lines.filter { $0 == "int" }, ["int"])
    }
  }

  @Test("What was recorded survives a kill of the recorder")
  func killedRecorder() async throws {
    try await withMonitorSession { monitor in
      let job = try monitor.launch(
        ["record", monitor.path("life"), "--", "sh", "-c", "echo ready; exec sleep 86400"]
      )
      try job.nextLine("ready") { $0 == "ready" }
      try monitor.waitForStory { $0 == Self.launch }
      try monitor.session.signalGroup(SIGKILL, job)
      #expect(try job.waitUntilEnd() == .signaled(SIGKILL))
      expectNoDifference(try monitor.recordings("life").map(\.story), [Self.launch])
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
}
