#if Services
  import CustomDump
  import Foundation
  import JobControl
  import TestSupport
  import Testing

  @Suite("Services of a real process", .serialized, .startsProcesses)
  struct ServiceProcessTests {
    /// A wiring, and the way in which the process then ends.
    struct Wiring: CustomTestStringConvertible, Sendable {
      var name: String
      var end: JobStatus

      var testDescription: String { name }
    }

    static let wirings = [
      Wiring(name: "group", end: .exited(0)),
      Wiring(name: "groupAndSignals", end: .exited(0)),
      Wiring(name: "runGroup", end: .exited(0)),
      Wiring(name: "runObserving", end: .exited(0)),
      Wiring(name: "runSignals", end: .signaled(SIGTERM)),
      Wiring(name: "runBoth", end: .signaled(SIGTERM)),
    ]

    @Test(
      "On SIGTERM the observers, then the services finish before the process ends, 20 of 20 times",
      arguments: wirings,
      ["main", "nonisolated"]
    )
    func servicesFinishBeforeTheEnd(wiring: Wiring, bus: String) async throws {
      try await withServiceSession { session in
        for _ in 0..<20 {
          let job = try session.launchService(wiring.name, bus)
          try session.signal(SIGTERM, job)
          #expect(try job.waitUntilEnd() == wiring.end)
          let lines = try job.remainingLines()
          #expect(lines.isOrderly, "\(lines)")
          #expect(lines.contains("main returns") == (wiring.end == .exited(0)), "\(lines)")
        }
      }
    }

    @Test(
      "Ctrl-Z stops a service at once, fg continues it, and SIGTERM then ends it in order",
      arguments: ["groupAndSignals", "runSignals", "runBoth", "runObserving"]
    )
    func jobControl(wiring: String) async throws {
      try await withServiceSession { session in
        let job = try session.launchService(wiring, "main")
        for _ in 0..<3 {
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
    fileprivate func launchService(_ wiring: String, _ bus: String) throws -> Job {
      let job = try launch(JobRequest([try builtProgramPath("service-probe"), wiring, bus]))
      try job.nextLine("the services") { $0 == "ready" }
      // Without another source the service itself reports that the process is active, after that.
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

  private func withServiceSession(_ body: @Sendable (JobControlSession) throws -> Void) async throws {
    try await withJobControlSession(executable: builtProgramPath("service-probe"), body)
  }
#endif
