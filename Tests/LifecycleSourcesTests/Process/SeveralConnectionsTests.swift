import CustomDump
import Foundation
import JobControl
import ReactiveLifecycle
import TestSupport
import Testing

extension ProcessTests {
  /// What applies if the connections of a process differ, beside the signals that they take.
  @Suite("Several connections", .serialized)
  struct SeveralConnectionsTests {
    @Test("The first of two connections to leave gives no signal back")
    func firstDisconnectGivesNothingBack() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          "--action",
          "disconnect",
          "--own-handlers",
          "--also-taking",
          "interrupt"
        )
        try session.signal(SIGUSR2, probe.job)
        let dispositions = try probe.lines(through: .disconnected).dispositions
        try #require(dispositions.count == 2)
        for (before, after) in zip(dispositions[0], dispositions[1]).prefix(5) {
          #expect(before != after)
        }
      }
    }

    @Test("Of two deadlines, observers of either bus have the longer one")
    func longestDeadline() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          ["--slow", "100", "--deadline", "1"]
            + ["--also-taking", "terminate", "--other-deadline", "3600000"]
        )
        let lines = try probe.stop()
        #expect(lines.contains { $0.content == .slowObserverFinished("didEnterBackground") })
        #expect(!lines.summaries.contains("overrun"))
      }
    }

    @Test(
      "If one connection observes the end and the other would end the process, it goes on",
      arguments: [("reraise", "observe"), ("observe", "reraise")]
    )
    func observingPrevails(termination: String, other: String) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          "--termination",
          termination,
          "--also-taking",
          "terminate",
          "--other-termination",
          other
        )
        try session.signal(SIGTERM, probe.job)
        for _ in 0..<2 { _ = try probe.lines(through: .willTerminate) }
        try probe.waitUntilAllThreadsWait()
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
      }
    }
  }
}
