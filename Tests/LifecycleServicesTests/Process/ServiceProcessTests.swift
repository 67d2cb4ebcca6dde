#if Services
  import Foundation
  import JobControl
  import TestSupport
  import Testing

  @Suite("Services of a real process", .serialized, .startsProcesses)
  struct ServiceProcessTests {
    /// A wiring, and the ways in which the process may then end.
    struct Wiring: CustomTestStringConvertible, Sendable {
      var name: String
      var ends: [JobStatus]

      var testDescription: String { name }
    }

    /// If both the group and the process source take the signal, which of them is first is not
    /// promised: `main` may return before the source has seen the signal.
    static let wirings = [
      Wiring(name: "group", ends: [.exited(0)]),
      Wiring(name: "groupAndSignals", ends: [.exited(0), .signaled(SIGTERM)]),
      Wiring(name: "runGroup", ends: [.exited(0)]),
      Wiring(name: "runObserving", ends: [.exited(0), .signaled(SIGTERM)]),
      Wiring(name: "runSignals", ends: [.signaled(SIGTERM)]),
      Wiring(name: "groupThenRunSignals", ends: [.signaled(SIGTERM)]),
      Wiring(name: "runSignalsAndService", ends: [.signaled(SIGTERM)]),
      Wiring(name: "runBoth", ends: [.signaled(SIGTERM), .exited(0)]),
    ]

    @Test(
      "On SIGTERM the observers, then the services finish before the process ends, every time",
      arguments: wirings
    )
    func servicesFinishBeforeTheEnd(_ wiring: Wiring) async throws {
      try await withServiceSession { session in
        for round in 0..<4 {
          let bus = round < 2 ? "main" : "nonisolated"
          let job = try session.launchService(wiring.name, bus, round % 2 == 0 ? "slow" : "fast") {
            $0.standardError = .lines
          }
          try session.signal(SIGTERM, job)
          let end = try job.waitUntilEnd()
          #expect(wiring.ends.contains(end), "\(end)")
          let lines = try job.remainingLines()
          #expect(lines.isOrderly, "\(lines)")
          #expect(!lines.contains { $0.contains(".swift:") }, "\(lines)")
          if wiring.ends == [.signaled(SIGTERM)] { #expect(!lines.contains("main returns")) }
        }
      }
    }

    @Test(
      """
      A group that the bus does not know is not waited for, which is reported with the remedy, \
      every time
      """
    )
    func unknownGroup() async throws {
      try await withServiceSession { session in
        for _ in 0..<4 {
          try untilInTime {
            let job = try session.launchService("bare", "main", "stuck") {
              $0.standardError = .lines
            }
            let start = ContinuousClock.now
            try session.signal(SIGTERM, job)
            #expect(try job.waitUntilEnd() == .signaled(SIGTERM))
            // The search has 100 ms, and the report 200 ms.
            let isLate = ContinuousClock.now - start >= .milliseconds(100)
            let lines = try job.remainingLines()
            #expect(!lines.contains("worker finished"))
            if isLate, !lines.contains(where: { $0.contains("service_probe/main.swift:") }) {
              throw TooLate(lines)
            }
            #expect(lines.count { $0.contains("service_probe/main.swift:") } == 1, "\(lines)")
            #expect(lines.count { $0.contains("runServices") } == 1, "\(lines)")
          }
        }
      }
    }

    @Test("A signal for another party that arrives after the end of the bus is not sent again")
    func signalAfterEnd() async throws {
      try await withServiceSession { session in
        let job = try session.launch(JobRequest([try builtProgramPath("service-probe"), "ended"]))
        #expect(try job.waitUntilEnd() == .exited(0))
        #expect(try job.remainingLines() == ["main returns"])
      }
    }

    @Test(
      """
      Services over the grace period are reported at the caller's line, and the signal ends them; \
      a group that does not get the signal continues until then
      """,
      arguments: ["groupAndSignals", "runSignals", "groupWithoutSignals"]
    )
    func stuckService(wiring: String) async throws {
      try await withServiceSession { session in
        try untilInTime {
          let job = try session.launchService(wiring, "main", "stuck") { $0.standardError = .lines }
          let start = ContinuousClock.now
          try session.signal(SIGTERM, job)
          #expect(try job.waitUntilEnd() == .signaled(SIGTERM))
          let elapsed = ContinuousClock.now - start
          let lines = try job.remainingLines()
          #expect(lines.contains("willTerminate") && !lines.contains("worker finished"))
          #expect(!lines.contains("main returns"))
          if wiring == "groupWithoutSignals" { #expect(!lines.contains("worker shuts down")) }
          let isReported = lines.contains { $0.contains("had not finished 0.2 seconds") }
          // After the 0.2 s, the main thread has half a second for it.
          if !isReported, elapsed >= .milliseconds(700) { throw TooLate(lines) }
          #expect(isReported, "\(lines)")
          #expect(lines.contains { $0.contains("service_probe/main.swift:") }, "\(lines)")
        }
      }
    }

    @Test(
      "A main that calls waitForEnd after a group with LifecycleService waits for the grace period"
    )
    func waitingAfterGroup() async throws {
      try await withServiceSession { session in
        // The services have the grace period to finish.
        try withEnoughTime(200) { grace in
          let job = try session.launchService("groupThenWait", "main", "brief", "\(grace)") {
            $0.standardError = .lines
          }
          let start = ContinuousClock.now
          try session.signal(SIGTERM, job)
          #expect(try job.waitUntilEnd() == .signaled(SIGTERM))
          #expect(ContinuousClock.now - start >= .milliseconds(grace))
          let lines = try job.remainingLines()
          try requireInTime(lines.contains("worker finished"), true)
          #expect(lines.isOrderly, "\(lines)")
          #expect(!lines.contains("main returns"))
        }
      }
    }

    @Test(
      "Ctrl-Z stops a service at once, fg continues it, and SIGTERM then ends it in order",
      arguments: ["groupAndSignals", "runSignals"]
    )
    func jobControl(wiring: String) async throws {
      try await withServiceSession { session in
        let job = try session.launchService(wiring, "main", "slow")
        for _ in 0..<2 {
          try session.terminal.type(PseudoTerminal.controlZ)
          #expect(try job.nextStatus().status == .stopped(SIGTSTP))
          try session.foreground(job)
          #expect(try job.nextStatus().status == .continued)
          try job.nextLine("the return") { $0 == "didBecomeActive" }
        }
        try session.signal(SIGTERM, job)
        _ = try job.waitUntilEnd()
        let lines = try job.remainingLines()
        #expect(lines.isOrderly, "\(lines)")
      }
    }
  }

  extension JobControlSession {
    /// Launches the probe, and waits until its services run.
    fileprivate func launchService(
      _ arguments: String...,
      change: (inout JobRequest) -> Void = { _ in }
    ) throws -> Job {
      let request = JobRequest([try builtProgramPath("service-probe")] + arguments)
      let job = try launch(with(request, change))
      try job.nextLine("the services") { $0 == "ready" }
      return job
    }
  }

  extension Job {
    fileprivate func remainingLines() throws -> [String] {
      try waitUntilOutputEnds()
      return takeAvailableLines()
    }
  }

  extension [String] {
    /// Whether the worker has shut down completely, after the observers were notified, once.
    fileprivate var isOrderly: Bool {
      let relevant = filter { $0.hasPrefix("worker") || $0 == "willTerminate" }
      return relevant == ["willTerminate", "worker shuts down", "worker finished"]
    }
  }

  private func withServiceSession(_ body: @Sendable (JobControlSession) throws -> Void) async throws
  {
    try await withJobControlSession(executable: builtProgramPath("service-probe"), body)
  }
#endif
