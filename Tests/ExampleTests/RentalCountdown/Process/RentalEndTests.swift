import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension RentalCountdownTests {
  @Suite("Its end", .serialized)
  struct EndTests {
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

    @Test("The terminal hangs up: SIGHUP", arguments: ["json", "text"])
    func hangUp(format: String) async throws {
      try await withCountdownSession { session in
        let program = try builtProgramPath("rental-countdown")
        let countdown = try session.launch(
          with(JobRequest([program, "--format", format])) {
            $0.standardOutput = format == "text" ? .terminal : .lines
          }
        )
        if format == "text" {
          try session.waitForTerminal(toShow: "left")
        } else {
          _ = try countdown.linesThroughTick()
        }
        session.terminal.close()
        #expect(try countdown.waitUntilEnd() == .signaled(SIGHUP))
        if format == "json" {
          let last = countdown.takeAvailableLines().last
          expectNoDifference(last?.contains("willTerminate"), true)
        }
      }
    }

    @Test(
      "A signal that is ignored at the start stays ignored",
      arguments: [SIGINT, SIGHUP, SIGTSTP, SIGTERM]
    )
    func signalThatIsIgnoredAtStartStaysIgnored(signal: CInt) async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown { $0.ignoredSignals = .some([signal]) }
        try countdown.expectLines(launch, thenTickAtMost: 300)
        switch signal {
        case SIGINT: try session.terminal.type(PseudoTerminal.controlC)
        case SIGTSTP: try session.terminal.type(PseudoTerminal.controlZ)
        default: try session.signal(signal, countdown)
        }
        for _ in 1...2 { expectNoDifference(try countdown.linesThroughTick().withoutTicks, []) }
        #expect(countdown.statuses.isEmpty)
      }
    }

    @Test("SIGTERM while it is stopped: after SIGCONT, once")
    func termWhileStopped() async throws {
      try await withCountdownSession { session in
        let countdown = try session.launchCountdown()
        _ = try countdown.linesThroughTick()
        _ = try session.stop(countdown)
        try session.signal(SIGTERM, countdown)
        try session.signal(SIGCONT, countdown)
        #expect(try countdown.waitUntilEnd() == .signaled(SIGTERM))
        expectNoDifference(
          countdown.takeAvailableLines(),
          [event(6, "willTerminate", "terminated", "source")]
        )
      }
    }
  }
}
