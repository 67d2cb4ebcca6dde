import CustomDump
import Foundation
import JobControl
import ReactiveLifecycle
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Coexistence", .serialized)
  struct CoexistenceTests {
    @Test(
      "A Dispatch source of the program's own for SIGTERM is called too",
      arguments: ["before", "after"]
    )
    func ownSource(order: String) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--termination", "observe", "--own-source", order)
        try session.signal(SIGTERM, probe.job)
        // Who is first is not promised.
        let lines = try (0..<4).map { _ in try probe.nextLine() }
        expectNoDifference(lines.filter { $0.event != nil }.summaries, termination)
        #expect(lines.filter { $0.content == .ownTermSource }.count == 1)
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
      }
    }

    @Test("A Dispatch source of the program's own does not keep the process from dying")
    func ownSourceAndReraise() async throws {
      try await withProbeSession { session in
        try withEnoughTime(200) { slow in
          let probe = try session.launchProbe(
            "--own-source",
            "before",
            "--slow",
            "\(slow)",
            "--slow-kind",
            "willTerminate"
          )
          try session.signal(SIGTERM, probe.job)
          #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
          let lines = try probe.remainingLines()
          #expect(lines.events.last?.kind == .willTerminate)
          try requireInTime(lines.count { $0.content == .ownTermSource }, 1)
        }
      }
    }

    @Test("A SIGTERM from before, which the program's own source has left, is not announced")
    func sigtermLeftByProgramsOwnSourceIsNotAnnounced() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--own-source", "stranded")
        expectNoDifference(probe.launchLines.summaries, launch)
        expectNoDifference(try probe.ping().summaries, [])
        expectNoDifference(try probe.stop().summaries, background)
        expectNoDifference(try probe.resume().summaries, foreground)
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(SIGTERM))
        expectNoDifference(try probe.remainingLines().summaries, terminationAfterReturn)
      }
    }

    @Test(
      "SIGQUIT still reaches Swift's backtracer",
      .enabled(
        if: Capability.isBacktracerInstalled,
        "there is no swift-backtrace beside the runtime library"
      ),
      .disabled(
        if: isThreadSanitized,
        "the sanitizer crashes when the backtracer starts"
      )
    )
    func sigquitStillReachesSwiftsBacktracer() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe {
          $0.environment["SWIFT_BACKTRACE"] = "enable=yes,color=no,interactive=no,output-to=stderr"
          $0.standardError = .lines
        }
        try session.signal(SIGQUIT, probe.job)
        try probe.job.nextLine("the backtracer's report") { $0.contains("Program crashed") }
      }
    }

    @Test("SIGQUIT kills where there is no backtracer")
    func sigquitKillsWhereThereIsNoBacktracer() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe { $0.environment["SWIFT_BACKTRACE"] = "enable=no" }
        try session.signal(SIGQUIT, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(SIGQUIT))
        expectNoDifference(try probe.remainingLines().summaries, [])
      }
    }
  }
}
