import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import TestSupport
import Testing

@Suite("Monitor: watch", .serialized, .startsProcesses)
struct MonitorWatchTests {
  @Test("Ctrl-Z, fg, and SIGTERM are shown when they happen, without colors in a pipe")
  func lifeInText() async throws {
    try await withMonitorSession { monitor in
      let job = try monitor.launch(["watch"])
      try job.nextLine("the launch") { $0.contains("didBecomeActive (inactive → active") }
      try monitor.session.terminal.type(PseudoTerminal.controlZ)
      #expect(try job.nextStatus().status == .stopped(SIGTSTP))
      // Sources that connect at the same time have lines, too.
      #expect(job.lines.contains { $0.contains("didEnterBackground (inactive → background") })
      try monitor.session.foreground(job)
      #expect(try job.nextStatus().status == .continued)
      try job.nextLine("the return") { $0.contains("didBecomeActive (inactive → active") }
      try monitor.session.signal(SIGTERM, job)
      #expect(try job.waitUntilEnd() == .signaled(SIGTERM))
      let lines = try job.waitUntilOutputEnds()
      #expect(lines.contains { $0.contains("willTerminate (background → terminated") })
      #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
    }
  }

  @Test("The JSON output of watch is a recording")
  func lifeInJSON() async throws {
    try await withMonitorSession { monitor in
      let job = try monitor.launch(["watch", "--format", "json"])
      try job.nextLine("the launch") {
        $0.contains(#""kind":"didBecomeActive""#) && $0.contains(#""record":"event""#)
      }
      try monitor.session.signal(SIGTERM, job)
      #expect(try job.waitUntilEnd() == .signaled(SIGTERM))
      let text = try job.waitUntilOutputEnds().map { $0 + "\n" }.joined()
      let file = try FlightFile(parsing: Array(text.utf8))
      #expect(file.damage == [] && file.recordings.count == 1)
      let recording = try #require(file.recordings.first)
      expectNoDifference(recording.process.name, "lifecycle-monitor")
      expectNoDifference(recording.process.id, job.processID)
      expectNoDifference(
        recording.story.filter { !$0.contains(": ") },
        [
          "didFinishLaunching", "willEnterForeground", "didBecomeActive", "willResignActive",
          "didEnterBackground", "willTerminate",
        ]
      )
    }
  }

  @Test(
    "On a terminal, lines fit its width, and have colors unless NO_COLOR is set",
    arguments: [nil, "1"]
  )
  func terminal(noColor: String?) async throws {
    try await withMonitorSession { monitor in
      let job = try monitor.launch(["watch"]) { request in
        request.standardOutput = .terminal
        request.environment = ["TERM": "xterm", "NO_COLOR": noColor ?? ""]
      }
      try monitor.session.waitForTerminal(toShow: "didBecomeActive (inactive")
      // The key is read once the session has the terminal, which then reports its focus.
      try monitor.session.waitForTerminal(toShow: "\u{1B}[?1004h")
      try monitor.session.terminal.type("q")
      #expect(try job.waitUntilEnd() == .exited(0))
      let shown = monitor.session.terminal.outputText
      let colors = #/\u{1B}\[[0-9;]*m/#
      #expect(shown.contains(colors) == (noColor == nil), "\(shown)")
      let lines = shown.replacing(colors, with: "").replacing(#/\u{1B}\[\?1004[hl]/#, with: "")
        .split(separator: "\r\n")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
      #expect(monitor.session.terminal.outputText.contains("\u{1B}[?1004l"))
    }
  }

  @Test("watch ends when its reader goes away, although nothing happens", arguments: ["PIPE", ""])
  func brokenPipeWithoutEvents(signal: String) async throws {
    try await withMonitorSession { monitor in
      // The reader goes away a second after the last line.
      let script = """
        if [ "$1" ]; then trap '' "$1"; fi
        "$0" watch | { read -r; while read -r -t 1; do :; done; }
        echo ${PIPESTATUS[0]}
        """
      let program = try builtProgramPath("lifecycle-monitor")
      let job = try monitor.session.launch(JobRequest(["bash", "-c", script, program, signal]))
      #expect(try job.waitUntilEnd() == .exited(0))
      expectNoDifference(try job.waitUntilOutputEnds(), [signal.isEmpty ? "141" : "74"])
    }
  }
}
