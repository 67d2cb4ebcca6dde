import CustomDump
import Foundation
import JobControl
import LifecycleCore
import LifecycleCountdowns
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Stop and continue", .serialized)
  struct StopAndContinueTests {
    @Test("On Ctrl-Z observers run, then the process stops by SIGTSTP; on fg it is active again")
    func controlZAndForeground() async throws {
      try await withProbe { session, probe in
        expectNoDifference(probe.launchLines.summaries, launch)
        func isContinueCaught() throws -> Bool {
          let caught = try #require(ProcessSnapshot(probe.job.processID)).caught
          return caught & ProcessSnapshot.bit(SIGCONT) != 0
        }
        #expect(try isContinueCaught())
        let down = try probe.stop()
        expectNoDifference(down.summaries, background)
        expectNoDifference(down.events.last?.metadata, ["signal": "SIGTSTP"])
        expectNoDifference(ProcessSnapshot(probe.job.processID)?.state, "T")
        let stopped = try #require(probe.job.statuses.last)
        #expect(down.allSatisfy { $0.nanoseconds < stopped.nanoseconds })
        // The SIGCONT that ends a stop runs no handler, which could be late for the next Ctrl-Z.
        #expect(try !isContinueCaught())

        let pause = Duration.milliseconds(200)
        session.idle(for: pause)
        let start = ContinuousClock.now
        let up = try probe.resume()
        let returning = ContinuousClock.now - start
        expectNoDifference(up.summaries, foreground)
        #expect(try isContinueCaught())
        try #require(up.events.count == 2)
        let stays = up.events.map(\.backgroundStay)
        let stay = try #require(stays[0])
        expectNoDifference(stays[1], nil)
        let left = try #require(down.events.last).instant
        expectNoDifference(stay, BackgroundStay(from: left, to: up.events[0].instant))
        #expect(stay.timeAway >= pause)
        // No more than may pass while the clocks are read.
        #expect(stay.timeAsleep <= returning)
      }
    }

    @Test(
      "A countdown that ends while the process is stopped reports it before the return",
      arguments: [Countdown.BackgroundBehavior.catchUp, .finishOnTime]
    )
    func endWhileStopped(_ behavior: Countdown.BackgroundBehavior) async throws {
      let lines = try await withProbeSession { control in
        let job = try control.launchProbeCommand(["expiring-session", behavior.rawValue])
        try job.nextLine("ready") { $0 == "ready" }
        try control.terminal.type(PseudoTerminal.controlZ)
        #expect(try job.nextStatus().status == .stopped(SIGTSTP))
        control.idle(for: .milliseconds(60))
        try control.foreground(job)
        return try ["the end", "the opening"].map { try job.nextLine($0) { _ in true } }
      }
      expectNoDifference(lines, ["sign out background", "request"])
    }

    @Test("50 Ctrl-Z/fg cycles give exact counts")
    func manyCycles() async throws {
      let cycles = 50
      try await withProbe(["--bus", "nonisolated"]) { session, probe in
        var lines: [ProbeLine] = []
        for _ in 0..<cycles {
          lines += try probe.stop()
          lines += try probe.resume()
        }
        lines += try probe.ping()
        let cycle: [LifecycleEvent.Kind] = [
          .willResignActive, .didEnterBackground, .willEnterForeground, .didBecomeActive,
        ]
        expectNoDifference(lines.events.map(\.kind), (0..<cycles).flatMap { _ in cycle })
        expectNoDifference(lines.events.map(\.sequenceNumber), Array(4..<4 + 4 * cycles))
        expectNoDifference(lines.events.compactMap(\.backgroundStay).count, cycles)
        expectNoDifference(lines.count, lines.events.count)
        let statuses = probe.job.statuses.map(\.status)
        expectNoDifference(statuses, (0..<cycles).flatMap { _ in [.stopped(SIGTSTP), .continued] })
      }
    }

    @Test("Ctrl-Z typed right after fg stops, whether the return was noticed or not")
    func stopRightAfterReturn() async throws {
      try await withProbe(["--bus", "nonisolated"]) { session, probe in
        expectNoDifference(try probe.stop().summaries, background)
        var lines: [ProbeLine] = []
        for _ in 0..<50 {
          try session.foreground(probe.job)
          try session.terminal.type(PseudoTerminal.controlZ)
          var status: JobStatus
          repeat { status = try probe.job.nextStatus().status } while status == .continued
          expectNoDifference(status, .stopped(SIGTSTP))
          lines += try probe.availableLines()
        }
        // It may have stopped again before anybody could be notified; never between two events.
        let cycle: [LifecycleEvent.Kind] = [
          .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground,
        ]
        let kinds = lines.events.map(\.kind)
        expectNoDifference(kinds, (0..<kinds.count / 4).flatMap { _ in cycle })
      }
    }

    @Test("After Ctrl-Z and bg, another SIGTSTP is no event, and fg without SIGCONT is the return")
    func backgroundRun() async throws {
      try await withProbeSession { session in
        // The terminal is the controlling one, whatever the standard streams are.
        let probe = try session.launchProbe {
          $0.standardInput = .null
          $0.standardError = .null
        }
        expectNoDifference(try probe.stop().summaries, background)
        try session.continueInBackground(probe.job)
        // Until it has come that far, a second stop only prolongs the first.
        try probe.waitUntilCaught(SIGTSTP)
        try session.signal(SIGTSTP, probe.job)
        #expect(try probe.job.nextStatus().status == .stopped(SIGTSTP))
        try session.continueInBackground(probe.job)
        session.idle(for: pollInterval * 3)
        // A suppressed input holds up nothing, and its place among the events is not promised.
        expectNoDifference(
          try probe.availableLines().summaries + probe.ping().summaries,
          ["suppressed didEnterBackground duplicate"]
        )
        try session.foregroundWithoutContinue(probe.job)
        let lines = try probe.lines(through: .didBecomeActive)
        expectNoDifference(lines.summaries, foreground)
        #expect(lines.events.first?.backgroundStay != nil)
      }
    }

    @Test(
      "A SIGCONT is no event while the terminal is kept, nor is a stop that it ends or cancels"
    )
    func continueUnseen() async throws {
      try await withProbe { session, probe in
        for _ in 0..<1_000 { try session.signal(SIGCONT, probe.job) }
        expectNoDifference(try probe.ping().summaries, [])
        for signals in [[], [SIGTSTP]] {
          try session.signal(SIGSTOP, probe.job)
          #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
          for signal in signals { try session.signal(signal, probe.job) }
          try session.foreground(probe.job)
          #expect(try probe.job.nextStatus().status == .continued)
          expectNoDifference(try probe.ping().summaries, [])
        }
        // All signals that were sent to it have been handled: this stop comes next.
        expectNoDifference(try probe.stop().summaries, background)
        expectNoDifference(
          probe.job.statuses.map(\.status),
          [.stopped(SIGSTOP), .continued, .stopped(SIGSTOP), .continued, .stopped(SIGTSTP)]
        )
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        for _ in 0..<1_000 { try session.signal(SIGCONT, probe.job) }
        expectNoDifference(try probe.lines(through: .didBecomeActive).summaries, foreground)
        expectNoDifference(try probe.ping().summaries, [])
      }
    }

    @Test("A process that lost the terminal during a SIGSTOP is in the background after SIGCONT")
    func terminalLostUnseen() async throws {
      try await withProbe { session, probe in
        try session.signal(SIGSTOP, probe.job)
        #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
        expectNoDifference(try probe.availableLines().summaries, [])
        try session.signal(SIGCONT, probe.job)
        expectNoDifference(try probe.lines(through: .didEnterBackground).summaries, background)
        try session.foreground(probe.job)
        expectNoDifference(try probe.lines(through: .didBecomeActive).summaries, foreground)
      }
    }

    @Test("In an orphaned process group, Ctrl-Z is a stay near zero, and does not stop the process")
    func orphanedGroup() async throws {
      try await withProbeSession { session in
        let terminal = try PseudoTerminal()
        let probe = try session.launchProbe {
          $0.placement = .newSessionOnTerminal(terminal.slavePath)
        }
        expectNoDifference(probe.launchLines.summaries, launch)
        expectNoDifference(terminal.foregroundGroup, probe.job.processID)
        let start = ContinuousClock.now
        try terminal.type(PseudoTerminal.controlZ)
        let lines = try probe.lines(through: .didBecomeActive)
        expectNoDifference(lines.summaries, background + foreground)
        let stay = try #require(lines.events.compactMap(\.backgroundStay).first)
        #expect(stay.timeAway <= ContinuousClock.now - start)
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
      }
    }

    @Test(
      "A SIGTSTP just before a stop causes no second stop, also if the kernel refuses the first"
    )
    func stopBeforeStop() async throws {
      try await withProbeSession { session in
        try withEnoughTime(200) { deadline in
          // It gets SIGTSTP while the engine waits for the report that its observer is late, before it
          // stops. The engine finds the signal after the stop.
          let options = [
            "--slow", "\(2 * deadline)", "--deadline", "\(deadline)", "--raise-on-overrun",
            "\(SIGTSTP)",
          ]
          let probe = try session.launchProbe(options)
          try requireInTime(try probe.stop().summaries, background + ["overrun"])
          let up = try probe.resume() + probe.ping()
          expectNoDifference(up.filter { $0.event != nil }.summaries, foreground)
          expectNoDifference(probe.job.statuses.map(\.status), [.stopped(SIGTSTP), .continued])

          let terminal = try PseudoTerminal()
          let orphan = try session.launchProbe(options) {
            $0.placement = .newSessionOnTerminal(terminal.slavePath)
          }
          try terminal.type(PseudoTerminal.controlZ)
          // Here no SIGCONT follows, which would take the older SIGTSTP back, too.
          let lines = try orphan.lines(through: .didBecomeActive) + orphan.ping()
          try requireInTime(lines.filter { $0.event != nil }.summaries, background + foreground)
          #expect(orphan.job.statuses.isEmpty)
        }
      }
    }
  }
}

/// How often the source reads the terminal while it is in the background.
private let pollInterval = Duration.milliseconds(250)
