import CustomDump
import Foundation
import JobControl
import LifecycleCore
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
      try await withProbe(
        ["--action", "compare", "--own-handlers"] + names.flatMap { ["--taking", $0] }
      ) { session, probe in
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

    @Test("A signal that is not taken reaches the thread of the program that waits for it")
    func signalThatIsNotTakenReachesItsThread() async throws {
      try await withProbe(["--taking", "terminate", "--await-hang-up"]) { session, probe in
        for _ in 0..<3 {
          try session.signal(SIGHUP, probe.job)
          let lines = try probe.lines(through: .note("took SIGHUP"))
          expectNoDifference(lines.summaries, ["took SIGHUP"])
        }
        _ = try probe.end(by: SIGTERM)
      }
    }

    @Test("The process takes the signals of all connections, and every bus receives the events")
    func connectionsThatDiffer() async throws {
      try await withProbe(
        ["--taking", "terminate", "--also-taking", "interrupt"]
      ) { session, probe in
        let lines = try probe.end(by: SIGINT)
        expectNoDifference(
          lines.events.filter { $0.kind == .willTerminate }.map { $0.metadata["signal"] },
          ["SIGINT", "SIGINT"]
        )
      }
    }

    @Test("SIGHUP requests a reload each time, beside Ctrl-Z and fg; it need not be taken besides")
    func hangUpRequestsReload() async throws {
      try await withProbe(
        ["--reload", "hangUp", "--taking", "terminate", "--taking", "jobControl"]
      ) { session, probe in
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
        expectNoDifference(
          try probe.end(by: SIGTERM).events.map(\.kind),
          [.willResignActive, .didEnterBackground, .willTerminate]
        )
      }
    }

    @Test(
      "Many SIGHUPs in a row are at most as many requests as were sent, and one is after the last"
    )
    func manyHangUps() async throws {
      try await withProbe(["--reload", "hangUp"]) { session, probe in
        for _ in 0..<99 { try session.signal(SIGHUP, probe.job) }
        let last = SystemLifecycleClock().continuous.timeSinceBoot
        try session.signal(SIGHUP, probe.job)
        let requests = try probe.lines {
          $0.event?.kind == .reloadRequest && .nanoseconds($0.nanoseconds) >= last
        }
        #expect(requests.count <= 100)
        let more = try probe.end(by: SIGTERM).events.filter { $0.kind == .reloadRequest }
        #expect(requests.count + more.count <= 100)
      }
    }

    @Test("If one bus reloads on SIGHUP and another would end, both reload")
    func reloadPrevailsOverEnd() async throws {
      try await withProbe(["--reload", "hangUp", "--also-taking", "hangUp"]) { session, probe in
        try session.signal(SIGHUP, probe.job)
        _ = try probe.lines(through: .reloadRequest)
        _ = try probe.lines(through: .reloadRequest)
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
      }
    }

    @Test("With SIGHUP as a reload, a closed terminal is announced, then the background")
    func closedTerminalIsReload() async throws {
      try await withProbe(["--reload", "hangUp"]) { session, probe in
        session.terminal.close()
        let lines = try probe.lines(through: .didEnterBackground)
        expectNoDifference(
          lines.summaries,
          [
            "4 reloadRequest source", "5 willResignActive synthesized",
            "6 didEnterBackground source",
          ]
        )
        expectNoDifference(try probe.end(by: SIGTERM).summaries, ["7 willTerminate source"])
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
