import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  @Suite("The controlling terminal", .serialized)
  struct TerminalTests {
    @Test("Reading from the terminal in the background stops the process and does not spin")
    func backgroundRead() async throws {
      try await withProbe(["--action", "read", "--bus", "nonisolated"]) { session, probe in
        expectNoDifference(try probe.stop().summaries, background)
        try session.continueInBackground(probe.job)
        let before = try #require(ProcessSnapshot(probe.job.processID)).processorTime
        try session.signal(SIGUSR2, probe.job)
        #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
        session.idle(for: .milliseconds(500))
        let after = try #require(ProcessSnapshot(probe.job.processID))
        expectNoDifference(after.state, "T")
        #expect(after.processorTime - before < .milliseconds(100))
        expectNoDifference(try probe.resume().summaries, foreground)
        try session.terminal.type("hello\n")
        #expect(try probe.nextLine().content == .readFromTerminal("hello"))
      }
    }

    // Under the thread sanitizer, a handler waits for a call that the sanitizer knows, and `tcsetattr`,
    // which it doesn't know, is repeated for ever.
    @Test(
      "The end of a process that the terminal has stopped is not stopped by it",
      arguments: ["read", "readOrExit", "readOnThreads"]
        + (isThreadSanitized ? [] : ["setTerminal"])
    )
    func endAfterBackgroundUse(action: String) async throws {
      try await withProbeSession { session in
        for _ in 0..<2 {
          let probe = try session.launchProbe([
            "--action", action, "--bus", "nonisolated", "--slow", "50", "--slow-kind",
            "willTerminate",
          ])
          _ = try probe.stop()
          try session.continueInBackground(probe.job)
          try session.signal(SIGUSR2, probe.job)
          #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
          try session.signal(SIGTERM, probe.job)
          try session.signal(SIGCONT, probe.job)
          var status: JobStatus
          repeat { status = try probe.job.nextStatus().status } while status == .continued
          try #require(status == .signaled(SIGTERM))
          let lines = try probe.remainingLines()
          #expect(lines.events.last?.kind == .willTerminate)
          #expect(lines.summaries.contains("slow observer of willTerminate finished"))
        }
      }
    }

    @Test(
      "While observers are asked about the end, the terminal does not stop it; after that, it does"
    )
    func questionAfterBackgroundRead() async throws {
      try await withProbeSession { session in
        let options = ["--action", "read", "--bus", "nonisolated", "--asking", "3600000"]
        let asked = try session.launchProbe(options + ["--answer", "never"]) {
          $0.placement = .background
        }
        try session.signal(SIGUSR2, asked.job)
        #expect(try asked.job.nextStatus().status == .stopped(SIGSTOP))
        try session.signal(SIGTERM, asked.job)
        try session.signal(SIGCONT, asked.job)
        let read = ProbeLine.Content.readFromTerminal("error \(EIO)")
        _ = try asked.lines(through: read)

        let kept = try session.launchProbe(options + ["--answer", "cancel"]) {
          $0.placement = .background
        }
        try session.signal(SIGTERM, kept.job)
        _ = try kept.lines(through: .exitRequest("SIGTERM", answer: "cancel"))
        try session.wait(for: "SIGTTIN not to be ignored") {
          let process = try #require(ProcessSnapshot(kept.job.processID))
          return process.ignored & ProcessSnapshot.bit(SIGTTIN) == 0
        }
        try session.signal(SIGUSR2, kept.job)
        #expect(try kept.job.nextStatus().status == .stopped(SIGSTOP))
      }
    }

    @Test("A program that ignores a stop by the terminal still does after an end was cancelled")
    func choiceOfTheProgram() async throws {
      try await withProbeSession { session in
        let options = ["--action", "ignoreTerminalStop", "--bus", "nonisolated"]
        let probe = try session.launchProbe(
          options + ["--asking", "3600000", "--answer", "cancel"]
        )
        try session.signal(SIGUSR2, probe.job)
        _ = try probe.lines(through: .note("ignored"))
        try session.signal(SIGTERM, probe.job)
        _ = try probe.lines(through: .exitRequest("SIGTERM", answer: "cancel"))
        // Of the two, it is the one that is handled last.
        try session.wait(for: "SIGTTOU not to be ignored") {
          let process = try #require(ProcessSnapshot(probe.job.processID))
          return process.ignored & ProcessSnapshot.bit(SIGTTOU) == 0
        }
        let process = try #require(ProcessSnapshot(probe.job.processID))
        #expect(process.ignored & ProcessSnapshot.bit(SIGTTIN) != 0)
      }
    }

    @Test("Waiting in the background wakes the process four times a second, and costs nothing")
    func backgroundWait() async throws {
      try await withProbe { session, probe in
        expectNoDifference(try probe.stop().summaries, background)
        try session.continueInBackground(probe.job)
        try probe.waitUntilThreadWaits()
        func waits() throws -> Int {
          try #require(ThreadStatus.waiting(of: probe.job.processID)).waits
        }
        let before = try #require(ProcessSnapshot(probe.job.processID)).processorTime
        try untilInTime {
          /// Waits for that many readings of the terminal; returns how many there were.
          func read(_ count: Int) throws -> Int {
            let before = try waits()
            var readings = 0
            try session.wait(for: "\(count) readings instead of \(readings)") {
              readings = try waits() - before
              return readings >= count
            }
            return readings
          }
          // The first ones may wait for memory as well.
          _ = try read(2)
          let start = ContinuousClock.now
          let readings = try read(4)
          let elapsed = ContinuousClock.now - start
          #expect(readings <= Int(elapsed / .milliseconds(250)) + 2, "in \(elapsed)")
          if elapsed >= .seconds(2) { throw TooLate("4 readings took \(elapsed)") }
        }
        let after = try #require(ProcessSnapshot(probe.job.processID)).processorTime
        #expect(after - before < .milliseconds(100))
      }
    }

    @Test("Launched in the background, it is only launched until fg, even without taking SIGCONT")
    func signalsOfJobControlAreNotTaken() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(["--taking", "terminate"]) {
          $0.placement = .background
        }
        expectNoDifference(probe.launchLines.summaries, ["1 didFinishLaunching source"])
        try session.foregroundWithoutContinue(probe.job)
        let lines = try probe.lines(through: .didBecomeActive)
        expectNoDifference(
          lines.summaries,
          ["2 willEnterForeground synthesized", "3 didBecomeActive source"]
        )
        #expect(lines.events.compactMap(\.backgroundStay).isEmpty)
      }
    }

    @Test(
      """
      Without a controlling terminal, the process is active; a second SIGTERM is ignored, as \
      Kubernetes may send one, and SIGINT ends the process at once
      """
    )
    func secondSignalWithoutTerminal() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe([
          "--bus", "nonisolated", "--slow", "3600000", "--slow-kind", "willTerminate",
        ]) {
          $0.placement = .newSession
          $0.standardInput = .null
          $0.standardError = .null
        }
        expectNoDifference(probe.launchLines.summaries, launch)
        expectNoDifference(ProcessSnapshot(probe.job.processID)?.session, probe.job.processID)
        try session.signal(SIGTERM, probe.job)
        expectNoDifference(try probe.lines(through: .willTerminate).summaries, termination)
        session.idle(for: .milliseconds(350))
        try session.signal(SIGTERM, probe.job)
        try probe.waitUntilAllThreadsWait()
        expectNoDifference(try probe.ping().summaries, [])
        session.idle(for: .milliseconds(350))
        #expect(ProcessSnapshot.isAlive(probe.job.processID))
        _ = try probe.end(by: SIGINT)
      }
    }

    @Test("A process that leaves the session of its terminal, as a daemon does, is active")
    func leavingTheSession() async throws {
      try await withProbeSession { session in
        // The leader of a process group can't leave.
        let probe = try session.launchProbe(
          [
            "--leaves-session", "--action", "disconnectAndExit", "--action-kind", "didBecomeActive",
          ],
          wrapper: ["/bin/sh", "-c", #""$@"; exit $?"#, "sh"]
        ) {
          $0.placement = .background
        }
        expectNoDifference(probe.launchLines.summaries, ["1 didFinishLaunching source"])
        #expect(try probe.job.waitUntilEnd() == .exited(3))
        expectNoDifference(
          try probe.remainingLines().summaries,
          ["2 willEnterForeground synthesized", "disconnected"]
        )
      }
    }
  }
}
