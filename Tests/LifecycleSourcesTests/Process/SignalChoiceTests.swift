import CustomDump
import Foundation
import JobControl
import ReactiveLifecycle
import TestSupport
import Testing

extension ProcessTests {
  /// What a program chooses to take, and what it takes as a request to reload.
  @Suite("Choice of signals", .serialized)
  struct SignalChoiceTests {
    /// The signals of the probe's dispositions, in their order.
    private static let order = [SIGHUP, SIGINT, SIGTERM, SIGCONT, SIGTSTP]

    @Test(
      "The dispositions of the chosen signals are replaced, and no others",
      arguments: [
        (["jobControl"], [SIGCONT, SIGTSTP]), (["terminate", "hangUp"], [SIGHUP, SIGTERM]),
        ([], Self.order),
      ] as [([String], [CInt])]
    )
    func replacesChosenDispositions(names: [String], taken: [CInt]) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          ["--action", "compare", "--own-handlers"] + names.flatMap { ["--taking", $0] }
        )
        let (before, after) = try dispositions(of: probe)
        for (index, signal) in Self.order.enumerated() {
          #expect((before[index] != after[index]) == taken.contains(signal), "\(signal)")
        }
        let others = Self.order.count...
        let kept = "SIGQUIT, crashes, and those of terminal and pipe, which the program handles"
        expectNoDifference(Array(after[others]), Array(before[others]), kept)
        #expect(after[others].count == 10)
      }
    }

    @Test("A signal that is not taken acts as it would without the source")
    func signalThatIsNotTakenActsByDefault() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--taking", "terminate")
        expectNoDifference(try probe.stop().summaries, [])
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        expectNoDifference(try probe.ping().summaries, [])
        try session.signal(SIGINT, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(SIGINT))
        expectNoDifference(try probe.remainingLines().summaries, [])
      }
    }

    @Test("A signal that is not taken reaches the thread of the program that waits for it")
    func signalThatIsNotTakenReachesItsThread() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--taking", "terminate", "--await-hang-up")
        for _ in 0..<3 {
          try session.signal(SIGHUP, probe.job)
          let lines = try probe.lines(through: .note("took SIGHUP"))
          expectNoDifference(lines.summaries, ["took SIGHUP"])
        }
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
      }
    }

    @Test("Connections that differ: the process takes what any of them takes, for all buses")
    func connectionsThatDiffer() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--taking", "terminate", "--also-taking", "interrupt")
        try session.signal(SIGINT, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGINT))
        let lines = try probe.remainingLines()
        expectNoDifference(
          lines.events.filter { $0.kind == .willTerminate }.map { $0.metadata["signal"] },
          ["SIGINT", "SIGINT"]
        )
      }
    }

    @Test("SIGHUP requests a reload each time, beside Ctrl-Z and fg; it need not be taken besides")
    func hangUpRequestsReload() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          ["--reload", "hangUp", "--taking", "terminate", "--taking", "jobControl"]
        )
        for number in 4...5 {
          try session.signal(SIGHUP, probe.job)
          let lines = try probe.lines(through: .reloadRequest)
          expectNoDifference(lines.summaries, ["\(number) reloadRequest source"])
          #expect(lines.events.last?.metadata == ["signal": "SIGHUP"])
          expectNoDifference(try probe.ping().summaries, [])
        }
        _ = try probe.stop()
        try session.signal(SIGHUP, probe.job)
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        let lines = try probe.lines(through: .reloadRequest)
        let rest =
          lines.contains { $0.event?.kind == .didBecomeActive }
          ? [] : try probe.lines(through: .didBecomeActive)
        #expect((lines + rest).events.map(\.kind).contains(.willEnterForeground))
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        expectNoDifference(
          try probe.remainingLines().events.map(\.kind),
          [.willResignActive, .didEnterBackground, .willTerminate]
        )
      }
    }

    @Test(
      "Many SIGHUPs in a row are at most as many requests as were sent, and one is after the last"
    )
    func manyHangUps() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--reload", "hangUp")
        for _ in 0..<99 { try session.signal(SIGHUP, probe.job) }
        let last = SystemLifecycleClock().continuous.timeSinceBoot
        try session.signal(SIGHUP, probe.job)
        let requests = try probe.lines {
          $0.event?.kind == .reloadRequest && .nanoseconds($0.nanoseconds) >= last
        }
        #expect(requests.count <= 100)
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        let more = try probe.remainingLines().events.filter { $0.kind == .reloadRequest }
        #expect(requests.count + more.count <= 100)
      }
    }

    @Test("If one bus reloads on SIGHUP and another would end, both reload")
    func reloadPrevailsOverEnd() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--reload", "hangUp", "--also-taking", "hangUp")
        try session.signal(SIGHUP, probe.job)
        _ = try probe.lines(through: .reloadRequest)
        _ = try probe.lines(through: .reloadRequest)
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
      }
    }

    @Test("A terminal that is closed is a reload, and the way to the background")
    func closedTerminalIsReload() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--reload", "hangUp")
        session.terminal.close()
        let lines = try probe.lines(through: .didEnterBackground)
        expectNoDifference(
          lines.summaries,
          [
            "4 reloadRequest source", "5 willResignActive synthesized",
            "6 didEnterBackground source",
          ]
        )
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        expectNoDifference(try probe.remainingLines().summaries, ["7 willTerminate source"])
      }
    }

    /// Asks for the dispositions of two moments.
    private func dispositions(of probe: TestSupport.Probe) throws -> ([String], [String]) {
      try probe.session.signal(SIGUSR2, probe.job)
      var lists: [[String]] = []
      while lists.count < 2 { lists += [try probe.nextLine()].dispositions }
      return (lists[0], lists[1])
    }
  }
}
