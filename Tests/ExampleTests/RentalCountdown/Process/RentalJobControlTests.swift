import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// The built program on the real system, one at a time: time is the subject.
@Suite("Countdown, the process", .serialized, .startsProcesses)
enum RentalCountdownTests {}

extension RentalCountdownTests {
  @Suite("Under job control", .serialized)
  struct JobControlTests {
    @Test("Ctrl-Z, 3 s, fg: the whole transcript, the stay and the remaining time")
    func stopAndResume() async throws {
      try await withCountdownSession { session in
        let (countdown, begun) = try measured {
          let countdown = try session.launchCountdown()
          try countdown.expectLines(launch, thenTickAtMost: 300)
          return countdown
        }
        let ((down, _), stopped) = try measured { try session.stop(countdown) }
        expectNoDifference(down, background(4))
        session.idle(for: .seconds(3))
        #expect(countdown.takeAvailableLines().isEmpty)
        let ((up, _), resumed) = try measured { try session.resume(countdown) }
        expectNoDifference(up.dropLast().withoutSeconds, foreground(6))
        try expectStay(up, from: stopped, to: resumed)
        try expectRemaining(up.last, of: 300, begun: begun, ticked: resumed)
        // Not the same second again, and none that was missed.
        let (next, ticked) = try measured { try countdown.linesThroughTick() }
        #expect((up + next).ticks.isCountdown(from: 297))
        try expectRemaining(
          next.last,
          of: 300,
          begun: begun,
          ticked: resumed.lowerBound...ticked.upperBound
        )
      }
    }

    @Test("10 rounds of Ctrl-Z and fg: each return has one stay and one tick")
    func tenRoundsOfCtrlZAndFg() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown()
        _ = try countdown.linesThroughTick()
        for round in 0..<10 {
          let number = 4 + 4 * round
          expectNoDifference(try session.stop(countdown).lines, background(number))
          let up = try session.resume(countdown).lines
          expectNoDifference(up.dropLast().withoutSeconds, foreground(number + 2))
        }
      }
    }

    @Test("SIGTSTP to a process that has stopped already is no second stop")
    func stoppedTwice() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown()
        _ = try countdown.linesThroughTick()
        expectNoDifference(try session.stop(countdown).lines.withoutTicks, background(4))
        try session.signal(SIGTSTP, countdown)
        expectNoDifference(
          try session.resume(countdown).lines.dropLast().withoutSeconds,
          foreground(6)
        )
        expectNoDifference(try countdown.linesThroughTick().withoutTicks, [])
        expectNoDifference(countdown.statuses.count, 2)
      }
    }

    @Test("bg is no return: no event and no tick, and a deadline that passes is reported after fg")
    func runInBackground() async throws {
      try await withCountdownSession { session in
        try withEnoughTime(2) { seconds in
          let countdown = try session.launchCountdown(seconds: seconds)
          _ = try countdown.linesThroughTick()
          expectNoDifference(try session.stop(countdown).lines, background(4))
          try session.continueInBackground(countdown)
          session.idle(for: .seconds(seconds) + .milliseconds(500))
          expectNoDifference(countdown.takeAvailableLines(), [])
          try session.foregroundWithoutContinue(countdown)
          #expect(try countdown.waitUntilEnd() == .exited(0))
          expectNoDifference(
            countdown.takeAvailableLines().withoutSeconds,
            foreground(6) + [tick(0), finished]
          )
        }
      }
    }

    @Test(
      "A deadline that passes while it is stopped is reported on the return, once, and it exits"
    )
    func deadlineWhileStopped() async throws {
      try await withCountdownSession { session in
        try withEnoughTime(1) { seconds in
          let countdown = try session.launchCountdown(seconds: seconds)
          try countdown.expectLines(launch, thenTickAtMost: seconds)
          expectNoDifference(try session.stop(countdown).lines, background(4))
          session.idle(for: .seconds(seconds) + .milliseconds(500))
          let up = try session.resume(countdown).lines
          expectNoDifference(up.withoutSeconds, foreground(6) + [tick(0)])
          #expect(try countdown.waitUntilEnd() == .exited(0))
          expectNoDifference(countdown.takeAvailableLines(), [finished])
        }
      }
    }

    @Test("A stop in the background is a duplicate, and it stops")
    func stopInBackground() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown()
        _ = try countdown.linesThroughTick()
        _ = try session.stop(countdown)
        try session.continueInBackground(countdown)
        try session.waitUntilCaught(SIGTSTP, by: countdown)
        try session.signal(SIGTSTP, countdown)
        #expect(try countdown.nextStatus().status == .stopped(SIGTSTP))
        expectNoDifference(
          countdown.takeAvailableLines(),
          [#"{"type":"suppressed","kind":"didEnterBackground","reason":"duplicate"}"#]
        )
        expectNoDifference(
          try session.resume(countdown).lines.dropLast().withoutSeconds,
          foreground(6)
        )
      }
    }

    @Test("SIGSTOP and SIGCONT while it keeps the terminal: no event, and one late tick")
    func stopUnseen() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown()
        let first = try countdown.linesThroughTick()
        try session.signal(SIGSTOP, countdown)
        #expect(try countdown.nextStatus().status == .stopped(SIGSTOP))
        let before = try #require((first + countdown.takeAvailableLines()).ticks.last)
        session.idle(for: .milliseconds(2200))
        try session.foreground(countdown)
        #expect(try countdown.nextStatus().status == .continued)
        var late = try countdown.linesThroughTick()
        expectNoDifference(late.withoutTicks, [])
        // A tick that was under way when it stopped is reported now.
        if late.ticks == [before - 1] { late = try countdown.linesThroughTick() }
        #expect(late.ticks[0] <= before - 2)
        let next = try countdown.linesThroughTick()
        expectNoDifference(next.withoutTicks, [])
        #expect((late + next).ticks.isCountdown(from: before - 2))
      }
    }

    @Test(
      "SIGSTOP, the terminal lost, SIGCONT: in the background on SIGCONT, and no tick there",
      arguments: [false, true]
    )
    func terminalLost(isDue: Bool) async throws {
      try await withCountdownSession { session in
        // One that is due ends while the process is stopped.
        try withEnoughTime(isDue ? 2 : 300) { seconds in
          let countdown = try session.launchCountdown(seconds: seconds)
          _ = try countdown.linesThroughTick()
          try session.signal(SIGSTOP, countdown)
          try requireInTime(try countdown.nextStatus().status, .stopped(SIGSTOP))
          let lines = countdown.takeAvailableLines().withoutTicks
          // It may also be stopped between its last line and its end.
          try requireInTime(lines.contains(finished), false)
          expectNoDifference(lines, [])
          session.idle(for: .seconds(isDue ? seconds : 2) + .milliseconds(100))
          try session.signal(SIGCONT, countdown)
          // The timer that is due may come before the signal is heard, not after it.
          let down = try countdown.lines { $0.contains("didEnterBackground") || $0 == finished }
          try requireInTime(down.last == finished, false)
          expectNoDifference(down.withoutTicks, background(4))
          #expect(try countdown.nextStatus().status == .continued)
          try session.foregroundWithoutContinue(countdown)
          let up = try countdown.linesThroughTick()
          expectNoDifference(up.dropLast().withoutSeconds, foreground(6))
          expectNoDifference(up.ticks == [0], isDue)
        }
      }
    }

    @Test("In an orphaned group Ctrl-Z is four events and a stay near 0, and it runs on")
    func orphanedGroup() async throws {
      try await withCountdownSession { session in
        let terminal = try PseudoTerminal()
        let countdown = try session.launchCountdown(seconds: 300) {
          $0.placement = .newSessionOnTerminal(terminal.slavePath)
        }
        try countdown.expectLines(launch, thenTickAtMost: 300)
        let (lines, typed) = try measured {
          try terminal.type(PseudoTerminal.controlZ)
          return try countdown.lines { $0.contains(#""didBecomeActive""#) }
        }
        expectNoDifference(lines.withoutTicks.withoutSeconds, background(4) + foreground(6))
        try expectStay(lines, from: typed, to: typed)
        for _ in 1...2 { expectNoDifference(try countdown.linesThroughTick().withoutTicks, []) }
        #expect(countdown.statuses.isEmpty)
      }
    }

    @Test("Launched in the background it waits for the terminal; the first return has no stay")
    func launchedInBackground() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown { $0.placement = .background }
        expectNoDifference(
          try countdown.nextLine(),
          event(1, "didFinishLaunching", "background", "source")
        )
        session.idle(for: .milliseconds(1200))
        expectNoDifference(countdown.takeAvailableLines(), [])
        try session.foregroundWithoutContinue(countdown)
        let lines = try countdown.linesThroughTick()
        expectNoDifference(Array(lines.dropLast()), Array(launch.dropFirst()))
        #expect(lines.ticks.allSatisfy { $0 < 300 })
      }
    }
  }
}
