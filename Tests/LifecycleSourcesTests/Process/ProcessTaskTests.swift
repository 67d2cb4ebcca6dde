import CustomDump
import Foundation
import JobControl
import ReactiveLifecycle
import TestSupport
import Testing

extension ProcessTests {
  /// Background tasks of the process host.
  @Suite("Tasks", .serialized)
  struct TaskTests {
    @Test("Ctrl-Z with a task held for 1 s stops after 1 s", arguments: buses)
    func heldForASecond(bus: String) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--bus", bus, "--task", "upload,before,1000,3600000")
        expectNoDifference(probe.launchLines.summaries, launch + ["upload began"])
        let lines = try probe.stop()
        expectNoDifference(lines.summaries, background + ["upload ended"])
        #expect(try timeToStop(probe, lines) >= .seconds(1))
        #expect(ProcessSnapshot(probe.job.processID)?.state == "T")
        expectNoDifference(try probe.resume().summaries, foreground)
      }
    }

    @Test("Ctrl-Z with a task held for ever stops after the grace, when its handler has run")
    func heldForEver() async throws {
      try await withProbeSession { session in
        try withEnoughTime(300) { grace in
          let probe = try session.launchProbe("--task", "upload,before,never,\(grace)")
          let lines = try probe.stop()
          try requireInTime(lines.summaries, background + ["upload expired"])
          #expect(try timeToStop(probe, lines) >= .milliseconds(grace))
          let stopped = try #require(probe.job.statuses.last)
          #expect(lines.allSatisfy { $0.nanoseconds < stopped.nanoseconds })
        }
      }
    }

    @Test("By default the grace is 5 s")
    func defaultGrace() async throws {
      try await withProbeSession { session in
        try untilInTime {
          let probe = try session.launchProbe("--task", "upload,before,never")
          let lines = try probe.stop()
          try requireInTime(lines.summaries, background + ["upload expired"])
          #expect(try timeToStop(probe, lines) >= .seconds(5))
        }
      }
    }

    @Test(
      "SIGTERM, SIGINT, SIGHUP: the process dies by the signal after its tasks",
      arguments: [SIGTERM, SIGINT, SIGHUP]
    )
    func endAfterTasks(signal: CInt) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--task", "upload,before,300,3600000")
        try session.signal(signal, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(signal))
        expectNoDifference(try probe.remainingLines().summaries, termination + ["upload ended"])
      }
    }

    @Test("SIGTERM with a task held for ever: death after the grace, when its handler has run")
    func endAfterGrace() async throws {
      try await withProbeSession { session in
        try withEnoughTime(300) { grace in
          let probe = try session.launchProbe("--task", "upload,before,never,\(grace)")
          try session.signal(SIGTERM, probe.job)
          #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
          let lines = try probe.remainingLines()
          try requireInTime(lines.summaries, termination + ["upload expired"])
          let signalled = try #require(lines[2].event).instant.continuous.timeSinceBoot
          #expect(.nanoseconds(lines[3].nanoseconds) - signalled >= .milliseconds(grace))
        }
      }
    }

    @Test(
      "A second SIGTERM or SIGINT while a task is held is death at once, without its handler",
      arguments: [SIGTERM, SIGINT]
    )
    func secondEnd(signal: CInt) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--task", "upload,before,never,3600000")
        try session.signal(SIGTERM, probe.job)
        expectNoDifference(try probe.lines(through: .willTerminate).summaries, termination)
        try session.signal(signal, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(signal))
        expectNoDifference(try probe.remainingLines().summaries, [])
      }
    }

    @Test("SIGCONT while a task holds the stop up takes it back; the next Ctrl-Z waits anew")
    func continueTakesTheStopBack() async throws {
      try await withProbeSession { session in
        try withEnoughTime(1000) { grace in
          let probe = try session.launchProbe("--task", "upload,before,never,\(grace)")
          try session.terminal.type(PseudoTerminal.controlZ)
          expectNoDifference(try probe.lines(through: .didEnterBackground).summaries, background)
          try session.signal(SIGCONT, probe.job)
          try requireInTime(
            try probe.linesUnlessStopped(through: .didBecomeActive).summaries,
            foreground
          )
          // The grace of the stop that was taken back is over after this.
          session.idle(for: .milliseconds(grace + 100))
          expectNoDifference(try probe.ping().summaries, [])
          let lines = try probe.stop()
          try requireInTime(
            lines.summaries,
            ["8 willResignActive synthesized", "9 didEnterBackground source", "upload expired"]
          )
          #expect(try timeToStop(probe, lines) >= .milliseconds(grace))
        }
      }
    }

    @Test("SIGTERM while a task holds a stop up is willTerminate, and death after the task")
    func endInsteadOfStop() async throws {
      try await withProbeSession { session in
        try withEnoughTime(700) { hold in
          let probe = try session.launchProbe("--task", "upload,before,\(hold),3600000")
          try session.terminal.type(PseudoTerminal.controlZ)
          expectNoDifference(try probe.lines(through: .didEnterBackground).summaries, background)
          try session.signal(SIGTERM, probe.job)
          try requireInTime(try probe.job.nextStatus().status, .signaled(SIGTERM))
          let lines = try probe.remainingLines().summaries
          expectNoDifference(lines, ["6 willTerminate source", "upload ended"])
        }
      }
    }

    @Test("A task that the observer of the stop begins counts, and the last one decides")
    func begunDuringTheStop() async throws {
      try await withProbeSession { session in
        try withEnoughTime(100) { hold in
          let probe = try session.launchProbe(
            "--task",
            "first,before,\(hold),3600000",
            "--task",
            "second,during,\(5 * hold),3600000",
            "--task",
            "third,during,\(3 * hold),3600000"
          )
          let lines = try probe.stop()
          try requireInTime(
            lines.summaries,
            background + [
              "second began", "third began", "first ended", "third ended", "second ended",
            ]
          )
          #expect(try timeToStop(probe, lines) >= .milliseconds(5 * hold))
        }
      }
    }

    @Test("Each host's own grace counts for its tasks")
    func severalGraces() async throws {
      try await withProbeSession { session in
        try withEnoughTime(100) { grace in
          let probe = try session.launchProbe(
            "--task",
            "long,before,never,\(9 * grace)",
            "--task",
            "short,before,never,\(2 * grace)",
            "--task",
            "none,during,never,0"
          )
          let lines = try probe.stop()
          try requireInTime(
            lines.summaries,
            background + ["none refused", "short expired", "long expired"]
          )
          #expect(try timeToStop(probe, lines) >= .milliseconds(9 * grace))
        }
      }
    }

    @Test("A task that is begun while others are waited for has no more time than its host grants")
    func begunWhileHeld() async throws {
      try await withProbeSession { session in
        try withEnoughTime(100) { grace in
          let probe = try session.launchProbe(
            "--task",
            "long,before,never,\(12 * grace)",
            "--task",
            "short,after,never,\(7 * grace)"
          )
          let lines = try probe.stop()
          try requireInTime(
            lines.summaries,
            background + ["short began", "short expired", "long expired"]
          )
        }
      }
    }

    @Test("A blocked main thread: handlers are not waited for, but for a moment")
    func blockedMainThread() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          "--block-main",
          "--bus",
          "nonisolated",
          "--task",
          "upload,before,never,200"
        )
        let lines = try probe.stop()
        expectNoDifference(lines.summaries, background)
        // The grace, and half a second for the handler.
        #expect(try timeToStop(probe, lines) >= .milliseconds(700))
        try session.signal(SIGTERM, probe.job)
        try session.signal(SIGCONT, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
      }
    }

    @Test("After a stop with tasks whose time was up, new ones are granted again")
    func grantedAgain() async throws {
      try await withProbeSession { session in
        try withEnoughTime(100) { grace in
          let probe = try session.launchProbe(
            "--task",
            "early,before,never,\(grace)",
            "--task",
            "next,again,200,3600000"
          )
          try requireInTime(try probe.stop().summaries, background + ["early expired"])
          try session.foreground(probe.job)
          #expect(try probe.job.nextStatus().status == .continued)
          expectNoDifference(
            try probe.lines(through: .taskBegan("next", isGranted: true)).summaries,
            foreground + ["next began"]
          )
          expectNoDifference(
            try probe.stop().summaries,
            ["8 willResignActive synthesized", "9 didEnterBackground source", "next ended"]
          )
        }
      }
    }

    @Test("SIGTERM waits for a task that delays only the end")
    func taskThatDelaysOnlyTheEnd() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--task", "copy,before,300,3600000,end")
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        expectNoDifference(try probe.remainingLines().summaries, termination + ["copy ended"])
      }
    }

    @Test("A task that delays only the end does not expire by Ctrl-Z, and does by SIGTERM")
    func taskThatDelaysOnlyTheEndExpiresByTheEndAlone() async throws {
      try await withProbeSession { session in
        try untilInTime {
          let probe = try session.launchProbe("--task", "copy,before,never,0,end")
          expectNoDifference(try probe.stop().summaries, background)
          expectNoDifference(try probe.resume().summaries, foreground)
          expectNoDifference(try probe.ping().summaries, [])
          let start = ContinuousClock.now
          try session.signal(SIGTERM, probe.job)
          #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
          // The handler has half a second.
          let isLate = ContinuousClock.now - start >= .milliseconds(500)
          let lines = try probe.remainingLines().summaries
          if isLate, !lines.contains("copy expired") { throw TooLate(lines) }
          expectNoDifference(lines, terminationAfterReturn + ["copy expired"])
        }
      }
    }

    @Test("Tasks of both kinds at the same time: Ctrl-Z waits for one of them")
    func bothKindsOfTasks() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          "--task",
          "copy,before,never,3600000,end",
          "--task",
          "upload,before,100,3600000"
        )
        expectNoDifference(try probe.stop().summaries, background + ["upload ended"])
        expectNoDifference(try probe.resume().summaries, foreground)
        try session.signal(SIGTERM, probe.job)
        let end = try probe.lines(through: .willTerminate)
        expectNoDifference(end.summaries, terminationAfterReturn)
        session.idle(for: .milliseconds(100))
        #expect(ProcessSnapshot.isAlive(probe.job.processID), "the copy delays the end")
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.nextStatus().status == .signaled(SIGTERM))
      }
    }

    @Test("Nobody waits if somebody else ends the process")
    func observedTermination() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(
          "--termination",
          "observe",
          "--task",
          "upload,before,never,0"
        )
        try session.signal(SIGTERM, probe.job)
        expectNoDifference(try probe.lines(through: .willTerminate).summaries, termination)
        expectNoDifference(try probe.ping().summaries, [], "its time is not up")
        #expect(ProcessSnapshot.isAlive(probe.job.processID))
      }
    }

    @Test(
      "bash: Ctrl-Z, fg, Ctrl-Z, fg, Ctrl-C with a task held for ever",
      .enabled(if: Capability.isBashInstalled, "there is no bash in PATH")
    )
    func taskHeldUnderBash() async throws {
      try await withProbeSession { session in
        let terminal = try PseudoTerminal()
        let bash = try session.launch(
          with(JobRequest(["bash", "--noprofile", "--norc", "-i"])) {
            $0.placement = .newSessionOnTerminal(terminal.slavePath)
          }
        )
        let probe = Probe(job: bash, session: session)
        let path = try builtProgramPath("lifecycle-probe")
        try terminal.type("\(path) observe --task a,before,never,200 --task b,again,300,3600000\n")
        try probe.waitUntilReady()
        try terminal.type(PseudoTerminal.controlZ)
        expectNoDifference(try probe.lines(through: .didEnterBackground).summaries, background)
        try terminal.type("echo stopped\n")
        // On a busy machine the stop may come before the handler of a.
        try bash.nextLine("bash") { $0 == "stopped" }
        try terminal.type("fg\n")
        let up = try probe.lines(through: .taskBegan("b", isGranted: true)).summaries
        expectNoDifference(up.filter { $0 != "a expired" }, foreground + ["b began"])
        let expirations = bash.lines.filter { $0.contains("taskExpired") }
        #expect(expirations.count == 1)
        try terminal.type(PseudoTerminal.controlZ)
        _ = try probe.lines(through: .taskEnded("b"))
        try terminal.type("echo stopped again\n")
        try bash.nextLine("bash") { $0 == "stopped again" }
        try terminal.type("fg\n")
        _ = try probe.lines(through: .taskBegan("b", isGranted: true))
        try terminal.type(PseudoTerminal.controlC)
        _ = try probe.lines(through: .taskEnded("b"))
        try terminal.type("echo status $?\n")
        try bash.nextLine("bash") { $0 == "status 130" }
      }
    }

    /// From the signal to the stop.
    private func timeToStop(_ probe: Probe, _ lines: [ProbeLine]) throws -> Duration {
      let stopped = try #require(probe.job.statuses.last)
      let event = try #require(lines.events.first { $0.kind == .didEnterBackground })
      return .nanoseconds(stopped.nanoseconds) - event.instant.continuous.timeSinceBoot
    }
  }
}
