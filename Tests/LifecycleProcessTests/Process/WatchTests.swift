import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Watches of a process with signals", .serialized)
  struct WatchTests {
    @Test(
      "A watch is called after the observers of a stop, before those of the return, and at the end"
    )
    func stopsAndEnd() async throws {
      try await withProbe(["--watch"]) { session, probe in
        expectNoDifference(try probe.stop().summaries, background + ["will stop"])
        let pause = Duration.milliseconds(200)
        session.idle(for: pause)
        let lines = try probe.resume()
        expectNoDifference(lines.summaries, ["resumed in the foreground", "paused"] + foreground)
        let pauses = lines.compactMap { line -> Duration? in
          if case .paused(let time) = line.content { time } else { nil }
        }
        #expect(try #require(pauses.first) >= pause)

        _ = try probe.stop()
        try session.continueInBackground(probe.job)
        expectNoDifference(
          try probe.lines(through: { $0.summary == "paused" }).summaries,
          ["resumed in the background", "paused"]
        )
        try session.foregroundWithoutContinue(probe.job)
        expectNoDifference(
          try probe.lines(through: .didBecomeActive).summaries,
          [
            "terminal foreground", "10 willEnterForeground synthesized",
            "11 didBecomeActive source",
          ]
        )
        expectNoDifference(
          try probe.end(by: SIGTERM).summaries.suffix(2),
          ["14 willTerminate source", "will end"]
        )
      }
    }

    @Test("A bus that is disconnected on the thread of the process restores the dispositions")
    func disconnect() async throws {
      try await withProbe(["--watch", "--watch-disconnects"]) { session, probe in
        try session.signal(SIGCONT, probe.job)
        _ = try probe.lines { $0.summary == "SIGCONT" }
        try session.wait(for: "the former disposition of SIGTSTP") {
          let process = try #require(ProcessSnapshot(probe.job.processID))
          return process.caught & ProcessSnapshot.bit(SIGTSTP) == 0
        }
        expectNoDifference(try probe.stop().summaries, [])
      }
    }

    @Test("A watch is called for a SIGCONT after a SIGSTOP, and for one to a running process")
    func continuation() async throws {
      try await withProbe(["--watch"]) { session, probe in
        for _ in 0..<5 {
          _ = try probe.ping()
          try session.signal(SIGCONT, probe.job)
          expectNoDifference(try probe.lines(through: .watch("SIGCONT")).summaries, ["SIGCONT"])
          try expectContinuation(of: probe)
        }
        // Ctrl-Z that a SIGCONT takes back is nothing to continue from.
        try expectContinuation(of: probe, beside: SIGTSTP)
      }
    }

    @Test("A watch is called for a SIGCONT while observers are asked, and while the end waits")
    func continuationBeforeTheEnd() async throws {
      try await withProbe([
        "--watch", "--asking", "3600000", "--answer", "never", "--slow-kind", "willTerminate",
        "--slow", "3600000",
      ]) { session, probe in
        try session.signal(SIGTERM, probe.job)
        _ = try probe.lines(through: .exitRequest("SIGTERM", answer: "never"))
        try expectContinuation(of: probe)
        // A signal within 0.3 s of the first would not insist.
        session.idle(for: .milliseconds(350))
        try session.signal(SIGTERM, probe.job)
        // Which of the two comes first is up to the threads.
        let lines = try probe.lines(through: .willTerminate)
        if !lines.contains(where: { $0.content == .exitRequestWithdrawn }) {
          _ = try probe.lines(through: .exitRequestWithdrawn)
        }
        try expectContinuation(of: probe)
      }
    }

    /// Stops the process by a SIGSTOP, sends it another signal if one is given, and continues it.
    private func expectContinuation(of probe: Probe, beside signal: CInt? = nil) throws {
      try probe.waitUntilThreadWaits()
      try probe.session.signal(SIGSTOP, probe.job)
      #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
      if let signal { try probe.session.signal(signal, probe.job) }
      try probe.session.foreground(probe.job)
      #expect(try probe.job.nextStatus().status == .continued)
      expectNoDifference(
        try probe.lines(through: .watch("SIGCONT")).summaries,
        ["SIGCONT"]
      )
    }

    @Test("Watches alone install no signal handler")
    func dispositions() async throws {
      try await withProbeSession { session in
        let job = try session.launchProbeCommand(["watch-alone"])
        let found = try Probe(job: job, session: session).remainingLines().dispositions
        try #require(found.count == 3)
        expectNoDifference(found[1], found[0])
        expectNoDifference(found[2], found[0])
      }
    }
  }
}
