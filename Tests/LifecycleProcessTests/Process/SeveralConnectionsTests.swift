import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  /// What applies if the connections of a process differ, beside the signals that they take.
  @Suite("Several connections whose choices differ", .serialized)
  struct SeveralConnectionsTests {
    @Test("Of two connections, the first disconnect restores no disposition")
    func firstDisconnectGivesNothingBack() async throws {
      try await withProbe([
        "--action", "disconnect", "--own-handlers", "--also-taking", "interrupt",
      ]) { session, probe in
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
      try await withProbe(
        ["--slow", "100", "--deadline", "1"]
          + ["--also-taking", "terminate", "--other-deadline", "3600000"]
      ) { session, probe in
        let lines = try probe.stop()
        #expect(lines.contains { $0.content == .slowObserverFinished("didEnterBackground") })
        #expect(!lines.summaries.contains("overrun"))
      }
    }

    @Test("Two late buses have an overrun each, reported once")
    func twoLateBuses() async throws {
      try await withProbeSession { session in
        try withEnoughTime(300) { deadline in
          let probe = try session.launchProbe(
            ["--bus", "nonisolated", "--slow", "3600000", "--deadline", "\(deadline)"]
              + ["--also-taking", "terminate", "--other-hangs"]
          )
          // The observers that hang come after those that print, or before.
          let lines = try probe.stop()
          try requireInTime(lines.summaries.count { $0 == "overrun" }, 2)
          let places = lines.overruns.map { text in
            ["Observe.swift", "ProbeConnection.swift"].filter { text.contains($0) }
          }
          expectNoDifference(
            places.sorted { $0.description < $1.description },
            [["Observe.swift"], ["ProbeConnection.swift"]]
          )
          try session.foreground(probe.job)
          #expect(try probe.job.nextStatus().status == .continued)
          expectNoDifference(try probe.ping().overruns, [])
        }
      }
    }

    private static let forever = "3600000"

    @Test(
      "If one of two connections asks before the end, the observers of both are asked"
    )
    func askingPrevails() async throws {
      try await withProbe(
        ["--other-asking", Self.forever, "--also-taking", "terminate"]
          + ["--answer", "exit", "--other-answer", "exit"]
      ) { session, probe in
        let lines = try probe.end(by: SIGTERM)
        let asked = Array(repeating: "asked for SIGTERM: exit", count: 2)
        expectNoDifference(lines.summaries.filter { $0.hasPrefix("asked") }, asked)
        expectNoDifference(lines.events.count { $0.kind == .willTerminate }, 2)
      }
    }

    @Test("Of two times for the answers, observers of either bus have the longer one")
    func longestTimeToAnswer() async throws {
      try await withProbe(
        ["--asking", "1", "--answer", "cancelLate"]
          + ["--also-taking", "terminate", "--other-asking", Self.forever]
      ) { session, probe in
        try session.signal(SIGTERM, probe.job)
        _ = try probe.lines(through: .exitRequest("SIGTERM", answer: "cancel"))
        try probe.waitUntilAllThreadsWait()
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
      }
    }

    @Test(
      "If one of two connections observes the end, the process continues; later buses receive it"
    )
    func observingPrevails() async throws {
      try await withProbe(
        ["--also-taking", "terminate", "--other-termination", "observe"]
          + ["--action", "connectAnother"]
      ) { session, probe in
        try session.signal(SIGTERM, probe.job)
        for _ in 0..<2 { _ = try probe.lines(through: .willTerminate) }
        try probe.waitUntilAllThreadsWait()
        expectNoDifference(try probe.ping().summaries, [])
        try session.signal(SIGUSR2, probe.job)
        let lines = try probe.lines(through: .willTerminate)
        expectNoDifference(lines.summaries, launch + termination)
        expectNoDifference(lines.events.last?.metadata, ["signal": "SIGTERM"])
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
      }
    }

    @Test("A bus that an observer of the end connects receives the end, before the process ends")
    func connectedDuringTheEnd() async throws {
      try await withProbe([
        "--bus", "nonisolated", "--action", "connectAnother", "--action-kind", "willTerminate",
      ]) { session, probe in
        let lines = try probe.end(by: SIGTERM)
        expectNoDifference(lines.summaries, termination + launch + termination)
        expectNoDifference(lines.events.last?.metadata, ["signal": "SIGTERM"])
      }
    }
  }
}

extension Sequence<ProbeLine> {
  fileprivate var overruns: [String] {
    compactMap { if case .overrun(let text) = $0.content { text } else { nil } }
  }
}
