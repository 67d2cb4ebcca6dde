import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  /// Signals that ask before they end the process.
  @Suite("Exit requests", .serialized)
  struct ExitRequestTests {
    private static let patient = ["--asking", "3600000"]

    @Test("If the observer agrees, or if there is none, the process ends by the signal")
    func endsIfObserverAgrees() async throws {
      try await withProbeSession { session in
        for (options, question) in [
          (["--answer", "exit"], ["asked for SIGHUP: exit"]), ([], []),
        ] {
          let probe = try session.launchProbe(Self.patient + options)
          let lines = try probe.end(by: SIGHUP)
          expectNoDifference(lines.summaries, question + termination)
          expectNoDifference(lines.events.last?.metadata, ["signal": "SIGHUP"])
        }
      }
    }

    @Test(
      "If the observer cancels, the process goes on, nothing is announced, and the next is asked"
    )
    func goesOnIfObserverCancels() async throws {
      try await withProbe(Self.patient + ["--answer", "cancel", "--answer", "exit"]) {
        session,
        probe in
        try session.signal(SIGTERM, probe.job)
        let asked = try probe.lines(through: .exitRequest("SIGTERM", answer: "cancel"))
        expectNoDifference(asked.summaries, ["asked for SIGTERM: cancel"])
        // The next signal would be a second one if it came before the engine has the answer.
        try probe.waitUntilAllThreadsWait()
        expectNoDifference(try probe.ping().summaries, [])
        let lines = try probe.end(by: SIGTERM)
        expectNoDifference(lines.summaries, ["asked for SIGTERM: exit"] + termination)
      }
    }

    @Test("An observer that does not answer in time does not prevent the end")
    func endsWhenTimeIsUp() async throws {
      try await withProbeSession { session in
        try withEnoughTime(300) { time in
          let probe = try session.launchProbe(["--asking", "\(time)", "--answer", "never"])
          let before = ProbeLine(.ready).nanoseconds
          let lines = try probe.end(by: SIGTERM)
          let end = try #require(lines.first { $0.event?.kind == .willTerminate })
          #expect(end.nanoseconds - before >= time * 1_000_000)
          // The observer needs a processor in that time.
          try requireInTime(
            lines.summaries.filter { $0 != "no longer asked" },
            ["asked for SIGTERM: never"] + termination
          )
        }
      }
    }

    @Test("A main-actor bus whose main thread is blocked delays the end up to the two deadlines")
    func endsWhenMainThreadIsBlocked() async throws {
      try await withProbeSession { session in
        try withEnoughTime(200) { time in
          let probe = try session.launchProbe([
            "--asking", "\(time)", "--answer", "cancel", "--block-main", "--deadline", "\(time)",
          ])
          let before = ProbeLine(.ready).nanoseconds
          try session.signal(SIGTERM, probe.job)
          let end = try probe.job.nextStatus()
          expectNoDifference(end.status, .signaled(SIGTERM))
          let waited = Duration.nanoseconds(end.nanoseconds - before)
          // Once for the answer, and once for the observers.
          #expect(waited >= .milliseconds(2 * time))
          if waited > .milliseconds(4 * time) { throw TooLate("it took \(waited)") }
        }
      }
    }

    @Test("Ctrl-Z stops the process while it is asked; a second signal ends it without an answer")
    func stopsWhileAsked() async throws {
      try await withProbe(Self.patient + ["--answer", "never"]) { session, probe in
        try session.signal(SIGTERM, probe.job)
        _ = try probe.lines(through: .exitRequest("SIGTERM", answer: "never"))
        expectNoDifference(try probe.stop().summaries, background)
        expectNoDifference(try probe.resume().summaries, foreground)
        // A signal within 0.3 s of the first would not insist.
        session.idle(for: .milliseconds(350))
        expectNoDifference(
          try probe.end(by: SIGINT).summaries.filter { $0 != "no longer asked" },
          terminationAfterReturn
        )
      }
    }

    @Test("A bus that is disconnected before it answers is no longer asked, nor waited for")
    func disconnectedBus() async throws {
      try await withProbe(Self.patient + ["--answer", "never", "--action", "disconnect"]) {
        session,
        probe in
        try session.signal(SIGTERM, probe.job)
        _ = try probe.lines(through: .exitRequest("SIGTERM", answer: "never"))
        try session.signal(SIGUSR2, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        let others = ["no longer asked", "dispositions", "disconnected"]
        let lines = try probe.remainingLines().summaries
        expectNoDifference(lines.filter { !others.contains($0) }, [])
      }
    }

    @Test("An exit request that was answered keeps no bus after disconnecting")
    func answeredQuestionKeepsNoBus() async throws {
      try await withProbeSession { session in
        let job = try session.launchProbeCommand(["answered-question"])
        // The probe waits for the release for 300 s, and then reports what it has.
        let lines = try Probe(job: job, session: session).remainingLines(within: .seconds(600))
        expectNoDifference(lines.summaries, ["released"])
      }
    }
  }
}
