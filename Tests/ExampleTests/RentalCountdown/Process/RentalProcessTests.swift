import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

/// The built program on the real system, one at a time: time is the subject.
@Suite("Rental countdown process", .serialized, .startsProcesses)
struct RentalProcessTests {
  @Test("Without a terminal, the countdown is active to its end, and exits with 0")
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

  @Test("A hang-up of the terminal ends the countdown by SIGHUP after willTerminate")
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
