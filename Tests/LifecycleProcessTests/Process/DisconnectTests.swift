import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Disconnecting and resources", .serialized)
  struct DisconnectTests {
    @Test(
      "Disconnecting restores the former dispositions, and leaves those that the program has set since",
      arguments: [
        [
          "--action", "disconnect", "--own-handlers", "--watch", "--taking", "terminate",
          "--reload", "hangUp",
        ],
        ["--action", "replaceAndDisconnect"],
      ]
    )
    func restoredDispositions(options: [String]) async throws {
      try await withProbe(options) { session, probe in
        try session.signal(SIGUSR2, probe.job)
        let dispositions = try probe.lines(through: .disconnected).dispositions
        try #require(dispositions.count == 2)
        expectNoDifference(dispositions[1], dispositions[0])
      }
    }

    @Test(
      """
      Disconnected during a stop, by its observer or while one runs, the process stops, and restores \
      the dispositions after that
      """,
      arguments: [["--action-kind", "didEnterBackground"], ["--slow", "300"]]
    )
    func disconnectedDuringStop(options: [String]) async throws {
      try await withProbe(["--action", "disconnect"] + options) { session, probe in
        try session.terminal.type(PseudoTerminal.controlZ)
        _ = try probe.lines(through: .didEnterBackground)
        if options.contains("--slow") { try session.signal(SIGUSR2, probe.job) }
        #expect(try probe.job.nextStatus().status == .stopped(SIGTSTP))
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        try session.wait(for: "the former dispositions") {
          try session.signal(SIGUSR2, probe.job)
          let dispositions = try probe.lines(through: .disconnected).dispositions
          return dispositions.last == dispositions.first
        }
        expectNoDifference(try probe.stop().events, [])
      }
    }

    @Test(
      "After disconnecting, a signal acts by default, and is no event; an open task delays nothing"
    )
    func actsByDefault() async throws {
      try await withProbe(
        ["--action", "disconnect", "--task", "upload,before,never,3600000"]
      ) { session, probe in
        expectNoDifference(probe.launchLines.summaries, launch + ["upload began"])
        try session.signal(SIGUSR2, probe.job)
        let dispositions = try probe.lines(through: .disconnected).dispositions
        expectNoDifference(dispositions.last, dispositions.first)
        expectNoDifference(try probe.stop().summaries, [])
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        expectNoDifference(try probe.ping().summaries, [])
        expectNoDifference(try probe.end(by: SIGTERM).summaries, [])
      }
    }

    @Test("Connecting again works like the first time")
    func connectingAgain() async throws {
      try await withProbe(["--action", "reconnect"]) { session, probe in
        try session.signal(SIGUSR2, probe.job)
        let once = ["disconnected", "suppressed didBecomeActive masked", "reconnected"]
        let lines = try (0..<2).flatMap { _ in try probe.lines(through: .reconnected) }
        expectNoDifference(lines.summaries, once + once)
        expectNoDifference(try probe.stop().summaries, background)
        expectNoDifference(try probe.resume().summaries, foreground)
        expectNoDifference(try probe.ping().summaries, [])
        expectNoDifference(try probe.end(by: SIGTERM).summaries, terminationAfterReturn)
      }
    }

    @Test(
      "SIGTERM while connections come and go reaches a bus or the former handler, once",
      .disabled(
        if: isThreadSanitized,
        "the sanitizer delays signals, and drops the one that a thread got before it ended"
      )
    )
    func everySignalIsReceived() async throws {
      let counts = try await signalCounts(["connection-race"])
      expectNoDifference(counts.sent, 200)
      expectNoDifference(counts.byBus + counts.byHandler, counts.sent, "\(counts)")
    }

    @Test(
      "A signal that comes after the bus is released, or has ended, reaches the former handler",
      arguments: [["released-bus"], ["released-bus", "--reloads"], ["leaving-observer"]]
    )
    func signalWithoutBus(arguments: [String]) async throws {
      let counts = try await signalCounts(arguments)
      expectNoDifference(counts.sent, 50)
      expectNoDifference(counts.byHandler, 50)
    }

    @Test("A handler that calls the one it has replaced is called once or twice for a signal")
    func chainedHandler() async throws {
      let counts = try await signalCounts(["chained-handler"])
      #expect((1...2).contains(counts.byHandler), "\(counts)")
    }

    private func signalCounts(_ arguments: [String]) async throws -> SignalCounts {
      try await withProbeSession { session in
        let job = try session.launchProbeCommand(arguments)
        // The probe waits for a signal for 300 s, and then reports what it has.
        let lines = try Probe(job: job, session: session).remainingLines(within: .seconds(600))
        guard case .signalCounts(let counts)? = lines.last?.content else {
          throw UnexpectedLines(lines: job.lines)
        }
        return counts
      }
    }

    private struct UnexpectedLines: Error {
      var lines: [String]
    }

    @Test(
      "Connecting and disconnecting 1000 times on four threads keeps nothing, 100 share a thread"
    )
    func manyConnections() async throws {
      try await withProbeSession { session in
        let job = try session.launchProbeCommand(["reconnect"])
        let lines = try Probe(job: job, session: session).remainingLines()
        expectNoDifference(
          lines.summaries,
          ["dispositions", "resources", "resources", "resources", "dispositions"]
        )
        expectNoDifference(lines.dispositions.last, lines.dispositions.first)
        let resources = lines.compactMap { line -> (descriptors: Int, threads: Int)? in
          guard case .resources(let descriptors, let threads) = line.content else { return nil }
          return (descriptors, threads)
        }
        try #require(resources.count == 3)
        // libdispatch may open a timer descriptor and start workers at any time, and keeps them.
        #expect(resources[1].descriptors - resources[0].descriptors <= 2)
        #expect(resources[1].threads - resources[0].threads <= 7)
        #expect(resources[2].threads - resources[1].threads <= 5)
      }
    }
  }
}
