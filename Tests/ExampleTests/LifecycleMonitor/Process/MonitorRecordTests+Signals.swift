import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension MonitorRecordTests {
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
}
