import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Other parties that observe the signals", .serialized)
  struct CoexistenceTests {
    @Test(
      "A Dispatch source of the program's own for SIGTERM is called, too, and after disconnecting"
    )
    func ownSource() async throws {
      try await withProbeSession { session in
        // With SIGTERM alone: no other signal shows Dispatch's handler to the library.
        let probe = try session.launchProbe(
          ["--taking", "terminate", "--termination", "observe"]
            + ["--own-source", "before", "--action", "disconnect"]
        ) { $0.standardError = .lines }
        try session.signal(SIGTERM, probe.job)
        // Who is first is not promised.
        let lines = try (0..<4).map { _ in try probe.nextLine() }
        expectNoDifference(lines.filter { $0.event != nil }.summaries, termination)
        expectNoDifference(lines.filter { $0.content == .ownTermSource }.count, 1)
        expectNoDifference(try probe.ping().summaries, [])
        try session.signal(SIGUSR2, probe.job)
        _ = try probe.lines(through: .disconnected)
        for _ in 0..<3 {
          try session.signal(SIGTERM, probe.job)
          #expect(try probe.lines(through: .ownTermSource).count == 1)
          try probe.waitUntilAllThreadsWait()
          expectNoDifference(try probe.ping().summaries, [])
        }
        #expect(probe.job.statuses.isEmpty)
        #expect(!probe.job.lines.contains(where: isReport), "the other party ends the process")
      }
    }

    @Test("A program that has removed Dispatch's handler still receives willTerminate")
    func ownSourceWithoutHandler() async throws {
      try await withProbe(
        ["--taking", "terminate", "--own-source", "withoutHandler"]
      ) { session, probe in
        let lines = try probe.end(by: SIGTERM)
        expectNoDifference(lines.filter { $0.event != nil }.summaries, termination)
      }
    }

    @Test(
      "Another party for SIGTERM that is not waited for is reported once, at the line of the source",
      arguments: [nil, "before", "after"]
    )
    func rivalParty(order: String?) async throws {
      try await withProbeSession { session in
        let options = order.map { ["--own-source", $0] } ?? []
        try untilInTime {
          let (lines, elapsed) = try Self.linesOfEnd(session, options)
          // The search has 100 ms, and the report 200 ms.
          let isLate = elapsed >= .milliseconds(100)
          if order != nil, isLate, !lines.contains(where: isReport) { throw TooLate(lines) }
          expectNoDifference(lines.count(where: isReport), order == nil ? 0 : 1, "\(lines)")
          let remedies = lines.count { $0.contains(".processSignals(termination: .observe)") }
          expectNoDifference(remedies, order == nil ? 0 : 1, "\(lines)")
        }
      }
    }

    @Test(
      "Another party is not reported if a task has delayed the end, or a second signal hurries it"
    )
    func rivalPartyIsNotReported() async throws {
      try await withProbeSession { session in
        let options = ["--own-source", "before", "--task", "work,before,1"]
        let delayed = try Self.linesOfEnd(session, options).lines
        #expect(!delayed.contains(where: isReport), "\(delayed)")
        let probe = try session.launchProbe([
          "--own-source", "before", "--slow", "3600000", "--slow-kind", "willTerminate",
          "--deadline", "3600000",
        ]) { $0.standardError = .lines }
        try session.signal(SIGTERM, probe.job)
        try probe.job.nextLine("the end") { $0.contains("willTerminate") }
        session.idle(for: .milliseconds(350))
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        let lines = try Self.remainingLines(probe)
        #expect(!lines.contains(where: isReport), "\(lines)")
      }
    }

    /// Ends a probe, and returns its lines, and the time from the signal to the end.
    private static func linesOfEnd(
      _ session: JobControlSession,
      _ options: [String]
    ) throws -> (lines: [String], elapsed: Duration) {
      let probe = try session.launchProbe(options) { $0.standardError = .lines }
      let start = ContinuousClock.now
      try session.signal(SIGTERM, probe.job)
      #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
      let elapsed = ContinuousClock.now - start
      return (try remainingLines(probe), elapsed)
    }

    private static func remainingLines(_ probe: Probe) throws -> [String] {
      try probe.job.waitUntilOutputEnds()
      return probe.job.takeAvailableLines()
    }

    private func isReport(_ line: String) -> Bool {
      line.contains("/Observe.swift:\(Self.sourceLine)")
    }

    /// The line of the probe that makes the source.
    private static let sourceLine: Int = {
      let file = URL(filePath: #filePath).appending(path: "../../../lifecycle-probe/Observe.swift")
      let lines = try! String(contentsOf: file.standardized, encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false)
      return lines.firstIndex { $0.contains("= ProcessSignalSource.processSignals(") }! + 1
    }()

    @Test("A SIGTERM that was pending before the connection is not announced")
    func sigtermLeftByProgramsOwnSourceIsNotAnnounced() async throws {
      try await withProbe(["--own-source", "stranded"]) { session, probe in
        expectNoDifference(probe.launchLines.summaries, launch)
        expectNoDifference(try probe.ping().summaries, [])
        expectNoDifference(try probe.stop().summaries, background)
        expectNoDifference(try probe.resume().summaries, foreground)
        expectNoDifference(try probe.end(by: SIGTERM).summaries, terminationAfterReturn)
      }
    }
  }
}
