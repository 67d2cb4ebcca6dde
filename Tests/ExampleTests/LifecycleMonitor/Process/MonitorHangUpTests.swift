import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import TestSupport
import Testing

@Suite("Monitor: record after a hang-up", .serialized, .startsProcesses)
struct MonitorHangUpTests {
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
