import CustomDump
import Foundation
import JobControl
import ReactiveLifecycle
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Disconnecting and resources", .serialized)
  struct DisconnectTests {
    @Test(
      "Disconnecting restores the dispositions that were there",
      arguments: [[], ["--own-handlers"], ["--watch"]]
    )
    func disconnectingRestoresDispositionsThatWereThere(options: [String]) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(["--action", "disconnect"] + options)
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
      arguments: ["main", "nonisolated"],
      [["--action-kind", "didEnterBackground"], ["--slow", "300"]]
    )
    func disconnectedDuringStop(bus: String, options: [String]) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(["--bus", bus, "--action", "disconnect"] + options)
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

    @Test("Disconnecting leaves alone what the program has installed meanwhile")
    func disconnectingLeavesWhatProgramInstalled() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--action", "replaceAndDisconnect")
        try session.signal(SIGUSR2, probe.job)
        let dispositions = try probe.lines(through: .disconnected).dispositions
        try #require(dispositions.count == 2)
        expectNoDifference(dispositions[1], dispositions[0])
      }
    }

    @Test("After disconnecting, Ctrl-Z stops by default and is no event")
    func stopsByDefault() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--action", "disconnect")
        expectNoDifference(try probe.stop().summaries, background)
        expectNoDifference(try probe.resume().summaries, foreground)
        try session.signal(SIGUSR2, probe.job)
        _ = try probe.lines(through: .disconnected)
        expectNoDifference(try probe.stop().summaries, [])
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        expectNoDifference(try probe.ping().summaries, [])
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(SIGTERM))
        expectNoDifference(try probe.remainingLines().summaries, [])
      }
    }

    @Test("With nothing connected, an open task delays neither a stop nor the end")
    func openTaskWithoutConnection() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          "--action",
          "disconnect",
          "--task",
          "upload,before,never,3600000"
        )
        expectNoDifference(probe.launchLines.summaries, launch + ["upload began"])
        try session.signal(SIGUSR2, probe.job)
        _ = try probe.lines(through: .disconnected)
        expectNoDifference(try probe.stop().summaries, [])
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(SIGTERM))
        expectNoDifference(try probe.remainingLines().summaries, [])
      }
    }

    @Test("Connecting again works like the first time", arguments: ["main", "nonisolated"])
    func connectingAgain(bus: String) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--bus", bus, "--action", "reconnect")
        try session.signal(SIGUSR2, probe.job)
        let once = ["disconnected", "suppressed didBecomeActive masked", "reconnected"]
        let lines = try (0..<2).flatMap { _ in try probe.lines(through: .reconnected) }
        expectNoDifference(lines.summaries, once + once)
        expectNoDifference(try probe.stop().summaries, background)
        expectNoDifference(try probe.resume().summaries, foreground)
        expectNoDifference(try probe.ping().summaries, [])
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(SIGTERM))
        expectNoDifference(try probe.remainingLines().summaries, terminationAfterReturn)
      }
    }

    @Test("A program may exit by itself once it has disconnected")
    func exitAfterDisconnecting() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--action", "disconnectAndExit")
        try session.signal(SIGUSR2, probe.job)
        #expect(try probe.job.nextStatus().status == .exited(3))
        expectNoDifference(try probe.remainingLines().summaries, ["disconnected"])
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
      let counts = try await signalCounts(["connection-race", "--rounds", "200", "--spinners", "2"])
      expectNoDifference(counts.sent, 200)
      expectNoDifference(counts.byBus + counts.byHandler, counts.sent, "\(counts)")
    }

    @Test(
      "A signal between the bus's release and its connection's end reaches the handler",
      arguments: [[], ["--reloads"]]
    )
    func busIsReleasedFirst(options: [String]) async throws {
      let counts = try await signalCounts(["released-bus"] + options)
      expectNoDifference(counts.sent, 50)
      expectNoDifference(counts.byHandler, 50)
    }

    @Test("A second SIGTERM, after an observer of the first has disconnected, reaches the handler")
    func observerDisconnects() async throws {
      let counts = try await signalCounts(["leaving-observer"])
      expectNoDifference(counts.sent, 50)
      expectNoDifference(counts.byHandler, 50)
    }

    @Test("A handler that calls the one it has replaced is not called for ever")
    func chainedHandler() async throws {
      let counts = try await signalCounts(["chained-handler"])
      #expect((1...2).contains(counts.byHandler), "\(counts)")
    }

    private func signalCounts(_ arguments: [String]) async throws -> SignalCounts {
      try await withProbeSession { session in
        let job = try session.launch(
          JobRequest([try builtProgramPath("lifecycle-probe")] + arguments)
        )
        // The probe waits for a signal for 300 s, and then reports what it has.
        let line = try #require(try job.waitUntilOutputEnds(within: .seconds(600)).last)
        let content = try JSONDecoder().decode(ProbeLine.self, from: Data(line.utf8)).content
        guard case .signalCounts(let counts) = content else { throw UnexpectedLine(line: line) }
        return counts
      }
    }

    private struct UnexpectedLine: Error {
      var line: String
    }

    @Test(
      "Connecting and disconnecting 1000 times, on one thread or four, keeps nothing",
      arguments: [1, 4]
    )
    func thousandConnectionsKeepNoDescriptorOrThread(threads: Int) async throws {
      let growth = try await growth("--times", "\(1_000 / threads)", "--threads", "\(threads)")
      // libdispatch may open a timer descriptor and start workers at any time, and keeps them.
      #expect(growth.descriptors <= 2)
      #expect(growth.threads <= 3 + threads)
    }

    @Test("A hundred connections at the same time have one thread")
    func hundredConnectionsShareThread() async throws {
      let growth = try await growth("--times", "100", "--keeps")
      #expect(growth.threads <= 5)
    }

    /// Runs a probe that connects, and returns what it holds more than before. Expects that the
    /// dispositions are those from before at its end.
    private func growth(_ options: String...) async throws -> (descriptors: Int, threads: Int) {
      try await withProbeSession { session in
        let job = try session.launch(
          JobRequest([try builtProgramPath("lifecycle-probe"), "reconnect"] + options)
        )
        let lines = try job.waitUntilOutputEnds()
          .map { try JSONDecoder().decode(ProbeLine.self, from: Data($0.utf8)) }
        expectNoDifference(
          lines.summaries,
          ["dispositions", "resources", "resources", "dispositions"]
        )
        expectNoDifference(lines.dispositions.last, lines.dispositions.first)
        let resources = lines.compactMap { line -> (descriptors: Int, threads: Int)? in
          guard case .resources(let descriptors, let threads) = line.content else { return nil }
          return (descriptors, threads)
        }
        try #require(resources.count == 2)
        return (
          resources[1].descriptors - resources[0].descriptors,
          resources[1].threads - resources[0].threads
        )
      }
    }
  }
}
