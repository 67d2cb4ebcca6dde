import CustomDump
import Foundation
import JobControl
import ReactiveLifecycle
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Watches of a process with signals", .serialized)
  struct WatchTests {
    @Test("A watch is called after the observers of a stop, and before those of the return")
    func stopAndResume() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--watch")
        expectNoDifference(try probe.stop().summaries, background + ["will stop"])
        let pause = Duration.milliseconds(200)
        session.idle(for: pause)
        let lines = try probe.resume()
        expectNoDifference(
          lines.summaries,
          ["resumed in the foreground", "paused"] + foreground
        )
        #expect(try #require(lines.pauses.first) >= pause)
      }
    }

    @Test("After bg, a watch is called when the terminal is read in the foreground")
    func terminalComesBack() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--watch")
        _ = try probe.stop()
        try session.continueInBackground(probe.job)
        expectNoDifference(
          try probe.lines(through: { $0.summary == "paused" }).summaries,
          ["resumed in the background", "paused"]
        )
        try session.foregroundWithoutContinue(probe.job)
        expectNoDifference(
          try probe.lines(through: .didBecomeActive).summaries,
          ["terminal foreground"] + foreground
        )
      }
    }

    @Test("A watch is called before the signal ends the process, after the observers")
    func end() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--watch")
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(SIGTERM))
        expectNoDifference(
          try probe.remainingLines().summaries,
          termination + ["will end"]
        )
      }
    }

    @Test("Disconnected on the thread of the process, a bus gives the signals back")
    func disconnect() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--watch", "--watch-disconnects")
        try session.signal(SIGCONT, probe.job)
        _ = try probe.lines { $0.summary == "SIGCONT" }
        try session.wait(for: "the former disposition of SIGTSTP") {
          let process = try #require(ProcessSnapshot(probe.job.processID))
          return process.caught & ProcessSnapshot.bit(SIGTSTP) == 0
        }
        expectNoDifference(try probe.stop().summaries, [])
      }
    }

    @Test("A watch tells a SIGCONT after a SIGSTOP from one to a running process")
    func continuation() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--watch")
        for _ in 0..<20 {
          _ = try probe.ping()
          try session.signal(SIGCONT, probe.job)
          expectNoDifference(try probe.lines(through: .watch("SIGCONT")).summaries, ["SIGCONT"])
          try expectContinuation(of: probe)
        }
      }
    }

    @Test("The same while observers are asked whether the process may end")
    func continuationWhileAsked() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          "--watch",
          "--asking",
          "3600000",
          "--answer",
          "never"
        )
        try session.signal(SIGTERM, probe.job)
        _ = try probe.lines(through: .exitRequest("SIGTERM", answer: "never"))
        try expectContinuation(of: probe)
      }
    }

    @Test("The same while the end waits for an observer")
    func continuationBeforeTheEnd() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          "--watch",
          "--slow-kind",
          "willTerminate",
          "--slow",
          "3600000",
          "--deadline",
          "3600000"
        )
        try session.signal(SIGTERM, probe.job)
        _ = try probe.lines(through: .willTerminate)
        try expectContinuation(of: probe)
      }
    }

    /// Stops the process by a SIGSTOP.
    private func expectContinuation(of probe: Probe) throws {
      try probe.waitUntilThreadWaits()
      try probe.session.signal(SIGSTOP, probe.job)
      #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
      try probe.session.foreground(probe.job)
      #expect(try probe.job.nextStatus().status == .continued)
      expectNoDifference(
        try probe.lines(through: .watch("continued")).summaries,
        ["continued"]
      )
    }

    @Test("Ctrl-Z that a SIGCONT takes back is nothing to continue from")
    func takenBack() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--watch")
        try probe.waitUntilThreadWaits()
        try session.signal(SIGSTOP, probe.job)
        #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
        try session.signal(SIGTSTP, probe.job)
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        let lines = try probe.lines(through: .watch("continued"))
        expectNoDifference(lines.summaries, ["continued"])
      }
    }

    @Test("Watches alone install no signal handler")
    func dispositions() async throws {
      try await withProbeSession { session in
        let program = try builtProgramPath("lifecycle-probe")
        let job = try session.launch(JobRequest([program, "watch-alone"]))
        let found = try Probe(job: job, session: session).remainingLines().dispositions
        try #require(found.count == 3)
        expectNoDifference(found[1], found[0])
        expectNoDifference(found[2], found[0])
      }
    }
  }
}

extension Sequence<ProbeLine> {
  var pauses: [Duration] {
    compactMap { if case .paused(let time) = $0.content { time } else { nil } }
  }
}
