import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Deadlines", .serialized)
  struct DeadlineTests {
    @Test("An observer over the deadline does not delay the stop, and continues after it")
    func lateObserver() async throws {
      try await withProbeSession { session in
        try withEnoughTime(200) { deadline in
          let probe = try session.launchProbe([
            "--slow", "\(3 * deadline)", "--deadline", "\(deadline)",
          ])
          let typed = SystemLifecycleClock().continuous.timeSinceBoot
          let lines = try probe.stop()
          try requireInTime(lines.summaries, background + ["overrun"])
          guard case .overrun(let text) = lines[2].content else { return }
          #expect(text.contains("Observe.swift"))
          let passed = "\(Duration.milliseconds(deadline)) after didEnterBackground was announced"
          #expect(text.contains(passed), "\(text)")
          let stopped = try #require(probe.job.statuses.last)
          #expect(.nanoseconds(stopped.nanoseconds) - typed >= .milliseconds(deadline))
          expectNoDifference(
            try probe.resume().summaries,
            ["slow observer of didEnterBackground finished"] + foreground,
            "nothing is lost"
          )
        }
      }
    }

    @Test("Time for which the process is frozen in the middle of its end does not count")
    func frozenEnd() async throws {
      try await withProbe([
        "--slow", "3000", "--slow-kind", "willTerminate", "--deadline", "2500", "--task",
        "work,before,3000,2500",
      ]) { session, probe in
        try session.signal(SIGTERM, probe.job)
        _ = try probe.lines(through: .willTerminate)
        // The slow observer sleeps.
        try probe.waitUntilAllThreadsWait()
        try session.signal(SIGSTOP, probe.job)
        #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
        session.idle(for: .milliseconds(2_700))
        try session.signal(SIGCONT, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        expectNoDifference(
          Set(try probe.remainingLines().summaries),
          ["slow observer of willTerminate finished", "work ended"]
        )
      }
    }

    @Test("A blocked main thread delays a main-actor bus to the deadline, a nonisolated one never")
    func blockedMainThread() async throws {
      try await withProbeSession { session in
        // The report, too, has its time, which is always the same.
        try withEnoughTime(300) { deadline in
          let probe = try session.launchProbe(["--block-main", "--deadline", "\(deadline)"])
          try requireInTime(try probe.stop().summaries, ["overrun"])
        }
        let probe = try session.launchProbe(["--block-main", "--bus", "nonisolated"])
        expectNoDifference(try probe.stop().summaries, background)
        expectNoDifference(try probe.resume().summaries, foreground)
      }
    }

    @Test("A main thread that is blocked from the connection on is reported before any signal")
    func blockedSinceConnection() async throws {
      try await withProbeSession { session in
        let options = ["--block-main", "--deadline", "1000"]
        let probe = try session.launchProbe(options) { $0.standardError = .lines }
        try probe.job.nextLine("the report") { $0.contains("NonisolatedLifecycleBus") }
        #expect(probe.job.lines.last?.contains("Observe.swift:") == true)
        // A bus that delivers elsewhere, and a main thread that is not blocked, lead to none.
        for others in [["--block-main", "--bus", "nonisolated"], []] {
          try withEnoughTime(1_000) { deadline in
            let probe = try session.launchProbe(others + ["--deadline", "\(deadline)"]) {
              $0.standardError = .lines
            }
            session.idle(for: .milliseconds(deadline * 3 / 2))
            try session.signal(SIGTERM, probe.job)
            try probe.job.waitUntilOutputEnds()
            let isReported = probe.job.lines.contains { $0.contains("NonisolatedLifecycleBus") }
            try requireInTime(isReported, false)
          }
        }
      }
    }
  }
}
