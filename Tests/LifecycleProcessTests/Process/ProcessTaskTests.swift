import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  /// Background tasks of the process host.
  @Suite("Background tasks of the process", .serialized)
  struct TaskTests {
    @Test("Ctrl-Z with a task held for 0.5 s stops after that; after the return, so does SIGTERM")
    func heldForAWhile() async throws {
      try await withProbe([
        "--task", "upload,before,500,3600000", "--task", "next,again,300,3600000",
      ]) { session, probe in
        expectNoDifference(probe.launchLines.summaries, launch + ["upload began"])
        let lines = try probe.stop()
        expectNoDifference(lines.summaries, background + ["upload ended"])
        #expect(try timeToStop(probe, lines) >= .milliseconds(500))
        #expect(ProcessSnapshot(probe.job.processID)?.state == "T")
        expectNoDifference(try probe.resume().summaries, foreground)
        _ = try probe.lines(through: .taskBegan("next", isGranted: true))
        expectNoDifference(
          try probe.end(by: SIGTERM).summaries,
          terminationAfterReturn + ["next ended"]
        )
      }
    }

    @Test("Ctrl-Z with a task that never ends stops after the grace period and its handler")
    func heldForEver() async throws {
      try await withProbeSession { session in
        try withEnoughTime(300) { grace in
          let probe = try session.launchProbe(
            ["--task", "upload,before,never,\(grace)", "--task", "next,again,200,3600000"]
          )
          let lines = try probe.stop()
          try requireInTime(lines.summaries, background + ["upload expired"])
          #expect(try timeToStop(probe, lines) >= .milliseconds(grace))
          let stopped = try #require(probe.job.statuses.last)
          #expect(lines.allSatisfy { $0.nanoseconds < stopped.nanoseconds })
          // After the return, new tasks are granted again, and count.
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

    @Test("A SIGCONT while a task delays the stop cancels it, and the next Ctrl-Z waits again")
    func continueTakesTheStopBack() async throws {
      try await withProbeSession { session in
        try withEnoughTime(600) { grace in
          let probe = try session.launchProbe(["--task", "upload,before,never,\(grace)"])
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

    @Test("A task that delays only the end does not expire by Ctrl-Z, and does by SIGTERM")
    func taskThatDelaysOnlyTheEndExpiresByTheEndAlone() async throws {
      try await withProbeSession { session in
        try untilInTime {
          let probe = try session.launchProbe(["--task", "copy,before,never,0,end"])
          expectNoDifference(try probe.stop().summaries, background)
          expectNoDifference(try probe.resume().summaries, foreground)
          expectNoDifference(try probe.ping().summaries, [])
          let start = ContinuousClock.now
          let lines = try probe.end(by: SIGTERM).summaries
          // The handler has half a second.
          let isLate = ContinuousClock.now - start >= .milliseconds(500)
          if isLate, !lines.contains("copy expired") { throw TooLate(lines) }
          expectNoDifference(lines, terminationAfterReturn + ["copy expired"])
        }
      }
    }

    @Test("Tasks of both kinds: Ctrl-Z waits for one; a second SIGTERM waits for neither")
    func bothKindsOfTasks() async throws {
      try await withProbe([
        "--task", "copy,before,never,3600000,end", "--task", "upload,before,100,3600000",
      ]) { session, probe in
        expectNoDifference(try probe.stop().summaries, background + ["upload ended"])
        expectNoDifference(try probe.resume().summaries, foreground)
        try session.signal(SIGTERM, probe.job)
        let end = try probe.lines(through: .willTerminate)
        expectNoDifference(end.summaries, terminationAfterReturn)
        session.idle(for: .milliseconds(350))
        #expect(ProcessSnapshot.isAlive(probe.job.processID), "the copy delays the end")
        expectNoDifference(try probe.end(by: SIGTERM).summaries, [], "no handler is called")
      }
    }

    @Test("A task delays nothing if another party ends the process")
    func observedTermination() async throws {
      try await withProbe(
        ["--termination", "observe", "--task", "upload,before,never,0"]
      ) { session, probe in
        try session.signal(SIGTERM, probe.job)
        expectNoDifference(try probe.lines(through: .willTerminate).summaries, termination)
        expectNoDifference(try probe.ping().summaries, [], "its time is not up")
        #expect(ProcessSnapshot.isAlive(probe.job.processID))
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
