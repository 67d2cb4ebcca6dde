import CountdownTestSupport
import CustomDump
import Foundation
import JobControl
import ProcessTestSupport
import Testing

/// The built program on the real system, one at a time: time is the subject.
@Suite("Countdown, the process", .serialized)
enum CountdownTests {}

extension CountdownTests {
  @Suite("Under job control", .serialized)
  struct JobControlTests {
    @Test("Ctrl-Z, 3 s, fg: the whole transcript, the stay and the remaining time")
    func stopAndResume() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown()
        expectNoDifference(try countdown.linesThroughTick(), launch + [tick(300)])
        let start = ContinuousClock.now
        let (down, stopped) = try session.stop(countdown)
        expectNoDifference(down, background(4))
        session.idle(for: .seconds(3))
        #expect(countdown.takeAvailableLines().isEmpty)
        let (up, continued) = try session.resume(countdown)
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        expectNoDifference(up.dropLast().withoutSeconds, foreground(6))

        let gap = Double(continued.nanoseconds - stopped.nanoseconds) / 1e9
        let stay = try #require(up.stay)
        #expect(gap >= 3)
        #expect(stay > gap - 0.05 && stay < gap + 1)
        let remaining = Double(try #require(up.ticks.last))
        #expect(remaining >= 300 - elapsed - 0.5 && remaining <= 300 - elapsed + 1.5)
        // The next second, not the same one again, and none that was missed.
        expectNoDifference(try countdown.linesThroughTick().ticks, [Int(remaining) - 1])
      }
    }

    @Test("10 rounds of Ctrl-Z and fg: each return has one stay and one tick")
    func rounds() async throws {
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
    func twice() async throws {
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
        #expect(countdown.statuses.count == 2)
      }
    }

    @Test("bg is no return: no event and no tick, and a deadline that passes is reported after fg")
    func runInBackground() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown(seconds: 2)
        _ = try countdown.linesThroughTick()
        expectNoDifference(try session.stop(countdown).lines, background(4))
        try session.background(countdown)
        #expect(try countdown.nextStatus().status == .continued)
        session.idle(for: .milliseconds(2500))
        expectNoDifference(countdown.takeAvailableLines(), [])
        try session.foregroundWithoutContinue(countdown)
        #expect(try countdown.waitUntilEnd() == .exited(0))
        expectNoDifference(
          countdown.takeAvailableLines().withoutSeconds,
          foreground(6) + [tick(0), finished]
        )
      }
    }

    @Test(
      "A deadline that passes while it is stopped is reported on the return, once, and it exits"
    )
    func deadlineWhileStopped() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown(seconds: 1)
        let lines = try countdown.linesThroughTick()
        expectNoDifference(lines, launch + [tick(1)])
        expectNoDifference(try session.stop(countdown).lines, background(4))
        session.idle(for: .milliseconds(1500))
        let up = try session.resume(countdown).lines
        expectNoDifference(up.withoutSeconds, foreground(6) + [tick(0)])
        #expect(try countdown.waitUntilEnd() == .exited(0))
        expectNoDifference(countdown.takeAvailableLines(), [finished])
      }
    }

    @Test("A stop in the background is a duplicate, and it stops")
    func stopInBackground() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown()
        _ = try countdown.linesThroughTick()
        _ = try session.stop(countdown)
        try session.background(countdown)
        #expect(try countdown.nextStatus().status == .continued)
        session.waitUntilCaught(SIGTSTP, by: countdown)
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
        _ = try countdown.linesThroughTick()
        try session.signal(SIGSTOP, countdown)
        #expect(try countdown.nextStatus().status == .stopped(SIGSTOP))
        let before = countdown.takeAvailableLines().ticks.last ?? 300
        session.idle(for: .milliseconds(2200))
        try session.foreground(countdown)
        #expect(try countdown.nextStatus().status == .continued)
        let late = try countdown.linesThroughTick()
        expectNoDifference(late.withoutTicks, [])
        #expect(late.ticks[0] <= before - 2)
        let next = try countdown.linesThroughTick()
        expectNoDifference(next, [tick(late.ticks[0] - 1)])
      }
    }

    @Test(
      "SIGSTOP, the terminal lost, SIGCONT: in the background on SIGCONT, and no tick there",
      arguments: [300, 2]
    )
    func terminalLost(seconds: Int) async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown(seconds: seconds)
        _ = try countdown.linesThroughTick()
        try session.signal(SIGSTOP, countdown)
        #expect(try countdown.nextStatus().status == .stopped(SIGSTOP))
        expectNoDifference(countdown.takeAvailableLines().withoutTicks, [])
        session.idle(for: .milliseconds(2100))
        try session.signal(SIGCONT, countdown)
        let down = try countdown.lines { $0.contains("didEnterBackground") }
        expectNoDifference(down, background(4))
        #expect(try countdown.nextStatus().status == .continued)
        try session.foregroundWithoutContinue(countdown)
        let up = try countdown.linesThroughTick()
        expectNoDifference(up.dropLast().withoutSeconds, foreground(6))
        #expect((up.ticks == [0]) == (seconds == 2))
      }
    }

    @Test("In an orphaned group Ctrl-Z is four events and a stay near 0, and it runs on")
    func orphanedGroup() async throws {
      try await withCountdownSession { session in
        let terminal = try PseudoTerminal()
        let countdown = try session.launchCountdown(seconds: 3) {
          $0.placement = .newSessionOnTerminal(terminal.slavePath)
        }
        expectNoDifference(try countdown.linesThroughTick(), launch + [tick(3)])
        try terminal.type(PseudoTerminal.controlZ)
        let lines = try countdown.linesThroughTick()
        expectNoDifference(lines.dropLast().withoutSeconds, background(4) + foreground(6))
        #expect(try #require(lines.stay) < 1)
        #expect(try countdown.waitUntilEnd() == .exited(0))
        let rest = countdown.takeAvailableLines()
        expectNoDifference(rest.withoutTicks, [finished])
        #expect(rest.ticks.last == 0)
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
