import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// The built program on the real system, one at a time: time is the subject.
@Suite("Countdown, the process", .serialized, .startsProcesses)
struct RentalProcessTests {
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
        // The end comes with the return, and it may exit before it is active.
        let (lines, up) = (countdown.takeAvailableLines().withoutSeconds, foreground(6))
        expectNoDifference(lines.filter { $0 != up.last }, up.dropLast() + [tick(0), finished])
      }
    }
  }

  @Test("Without a terminal it is in the foreground and active, counts down, and exits with 0")
  func noTerminal() async throws {
    try await withCountdownSession { session in
      let start = ContinuousClock.now
      let countdown = try session.launchCountdown(seconds: 2) {
        $0.placement = .newSession
        $0.standardInput = .null
      }
      let lines = try countdown.waitUntilOutputEnds()
      expectNoDifference(lines.withoutTicks, launch + [finished])
      #expect(lines.ticks.isWholeCountdown(from: 2), "\(lines)")
      #expect(try countdown.waitUntilEnd() == .exited(0))
      #expect(ContinuousClock.now - start >= .seconds(2))
    }
  }

  @Test("A signal ends it after willTerminate, by that signal", arguments: [SIGTERM, SIGINT])
  func signalEndsItAfterWillTerminate(_ signal: CInt) async throws {
    try await withCountdownSession { session in
      let countdown = try session.launchCountdown()
      _ = try countdown.linesThroughTick()
      if signal == SIGINT {
        try session.terminal.type(PseudoTerminal.controlC)
      } else {
        try session.signal(signal, countdown)
      }
      #expect(try countdown.waitUntilEnd() == .signaled(signal))
      expectNoDifference(countdown.takeAvailableLines().withoutTicks, termination(4))
    }
  }

  @Test("The terminal hangs up: SIGHUP")
  func hangUp() async throws {
    try await withCountdownSession { session in
      let countdown = try session.launchCountdown()
      _ = try countdown.linesThroughTick()
      session.terminal.close()
      #expect(try countdown.waitUntilEnd() == .signaled(SIGHUP))
      let last = countdown.takeAvailableLines().last
      expectNoDifference(last?.contains("willTerminate"), true)
    }
  }
}

extension JobControlSession {
  /// Launches the built `rental-countdown`, reporting in JSON.
  fileprivate func launchCountdown(
    seconds: Int = 300,
    _ change: (inout JobRequest) -> Void = { _ in }
  ) throws -> Job {
    let program = try builtProgramPath("rental-countdown")
    let arguments = [program, "--seconds", "\(seconds)", "--format", "json"]
    return try launch(with(JobRequest(arguments), change))
  }
}
