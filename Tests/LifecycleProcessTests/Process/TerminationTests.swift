import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Termination", .serialized)
  struct TerminationTests {
    /// Whether a process may start another as process 1 of a namespace.
    private static let canUnshareProcesses: Bool = {
      let result = try? runProgram(
        "/usr/bin/env",
        ["unshare", "--pid", "--fork", "--kill-child", "true"]
      )
      return result?.status == .exited(0)
    }()

    @Test(
      "As process 1 of a namespace, a process exits with 143 after SIGTERM",
      .enabled(if: canUnshareProcesses, "unshare --pid --fork is not allowed here")
    )
    func processOne() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          wrapper: ["unshare", "--pid", "--fork", "--kill-child"]
        )
        let children = try String(
          contentsOfFile: "/proc/\(probe.job.processID)/task/\(probe.job.processID)/children",
          encoding: .utf8
        )
        let child = try #require(
          pid_t(children.trimmingCharacters(in: .whitespacesAndNewlines))
        )
        expectNoDifference(kill(child, SIGTERM), 0)
        #expect(try probe.job.waitUntilEnd() == .exited(128 + SIGTERM))
        expectNoDifference(try probe.remainingLines().summaries, termination)
      }
    }

    @Test(
      "A second signal within 0.3 s of the first is ignored",
      arguments: [SIGTERM, SIGINT]
    )
    func secondSignalThatMeansTheFirst(signal: CInt) async throws {
      try await withProbeSession { session in
        try untilInTime {
          let probe = try session.launchProbe([
            "--slow", "200", "--slow-kind", "willTerminate", "--raise-in-observer", "\(signal)",
          ])
          let start = ContinuousClock.now
          try session.signal(SIGTERM, probe.job)
          let end = try probe.job.waitUntilEnd()
          let isLate = ContinuousClock.now - start >= .milliseconds(300)
          let lines = try probe.remainingLines().summaries
          let expected = termination + ["slow observer of willTerminate finished"]
          if isLate { try requireInTime(lines, expected) }
          expectNoDifference(lines, expected)
          #expect([SIGTERM, signal].contains { end == .signaled($0) }, "\(end)")
        }
      }
    }

    @Test("Closing the terminal is willTerminate, and ends the process by SIGHUP")
    func hangUp() async throws {
      try await withProbe { session, probe in
        session.terminal.close()
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGHUP))
        let lines = try probe.remainingLines()
        expectNoDifference(lines.summaries, termination)
        expectNoDifference(lines.events.last?.metadata, ["signal": "SIGHUP"])
      }
    }

    @Test("The end of its shell ends a stopped process by SIGHUP, with willTerminate")
    func shellDies() async throws {
      try await withProbe { session, probe in
        expectNoDifference(try probe.stop().summaries, background)
        try session.exitShell()
        expectNoDifference(try probe.remainingLines().summaries, ["6 willTerminate source"])
        #expect(!staysAlive(probe.job.processID))
      }
    }

    @Test("A SIGTERM to a stopped process takes effect once, after SIGCONT")
    func terminateWhenStopped() async throws {
      try await withProbe { session, probe in
        expectNoDifference(try probe.stop().summaries, background)
        try session.signal(SIGTERM, probe.job)
        session.idle(for: .milliseconds(100))
        expectNoDifference(try probe.availableLines().summaries, [])
        expectNoDifference(ProcessSnapshot(probe.job.processID)?.state, "T")
        try session.foreground(probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        // It may come into the foreground first.
        let lines = try probe.remainingLines()
        expectNoDifference(lines.events.filter { $0.kind == .willTerminate }.count, 1)
        expectNoDifference(lines.events.last?.kind, .willTerminate)
      }
    }
  }
}
