import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// The built program on the real system; its bus is `LifecycleBus.application`.
@Suite("Load monitor, the process", .serialized, .startsProcesses)
struct LoadMonitorProcessTests {
  private func withMonitor(
    _ body: @escaping @Sendable (JobControlSession, Job) throws -> Void
  ) async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let program = try builtProgramPath("load-monitor")
      try body(session, session.launch(JobRequest([program, "--interval", "20"])))
    }
  }

  @Test("The sensor is off while the process is stopped and in the background, and on after fg")
  func jobControl() async throws {
    try await withMonitor { session, monitor in
      #expect(try monitor.nextLine() == "sensor on")
      #expect(try monitor.nextLine()?.wholeMatch(of: /load \d+\.\d\d/) != nil)

      try session.terminal.type(PseudoTerminal.controlZ)
      #expect(try monitor.nextStatus().status == .stopped(SIGTSTP))
      expectNoDifference(monitor.takeAvailableLines().switches, ["sensor off"])
      try session.continueInBackground(monitor)
      // Ten readings' time: that nothing is read is the subject.
      session.idle(for: .milliseconds(200))
      expectNoDifference(monitor.takeAvailableLines(), [])

      try session.foregroundWithoutContinue(monitor)
      #expect(try monitor.nextLine() == "sensor on")
      try session.signal(SIGTERM, monitor)
      #expect(try monitor.waitUntilEnd() == .signaled(SIGTERM))
      expectNoDifference(
        try monitor.waitUntilOutputEnds().switches,
        ["sensor on", "sensor off", "sensor on", "sensor off"]
      )
    }
  }

  @Test("A bad interval is refused with what to give")
  func badInterval() async throws {
    for interval in ["0", "9", "1.5", "-20", "x", "86400001"] {
      let result = try runProgram(builtProgramPath("load-monitor"), ["--interval", interval])
      expectNoDifference(result.status, .exited(64))
      #expect(result.text.contains("Specify a whole number from 10 to 86400000."))
    }
  }
}

extension [String] {
  fileprivate var switches: [String] { filter { $0.hasPrefix("sensor") } }
}
