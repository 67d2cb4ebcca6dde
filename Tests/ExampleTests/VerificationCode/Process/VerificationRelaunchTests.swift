import CustomDump
import Foundation
import JobControl
import LifecycleJournaling
import ProgramReporting
import ReactiveLifecycle
import TestSupport
import Testing

/// The built program on the real system, one at a time: time is the subject.
@Suite("Verification code, the process", .serialized, .startsProcesses)
enum VerificationCodeTests {}

extension VerificationCodeTests {
  @Suite("Launched again", .serialized)
  struct RelaunchTests {
    /// How a run ends, and what the next one says.
    enum End: String, CaseIterable, Sendable {
      case killedInForeground, killedWhileStopped, killedAfterBackgrounding
      case terminated, interrupted, terminatedWhileStopped

      var exit: String {
        switch self {
        case .killedInForeground: "killedInForeground"
        case .killedWhileStopped, .killedAfterBackgrounding: "killedInBackground"
        case .terminated, .interrupted, .terminatedWhileStopped: "endedProperly"
        }
      }
    }

    @Test(
      "It says how the last run ended, and goes on at the right second",
      arguments: End.allCases
    )
    func goesOn(end: End) async throws {
      try await withCodeSession { code in
        let (first, begun) = try measured {
          let first = try code.launch()
          try first.expectLines([firstLaunch] + launch, thenTickAtMost: 300)
          return first
        }
        let lastSeen = try Self.end(first, end, code)
        code.session.idle(for: .milliseconds(300))
        let start = ContinuousClock.now
        // Another duration changes nothing while the stored one runs.
        let second = try code.launch(seconds: 7)
        let line = try second.nextLine("the launch line") { _ in true }
        let launched = start...ContinuousClock.now
        try expectLaunch(line, end.exit, lastSeen: lastSeen, launched: launched)
        let rest = try second.linesThroughTick()
        let ticked = start...ContinuousClock.now
        expectNoDifference(Array(rest.dropLast()), launch)
        try expectRemaining(rest.last, of: 300, begun: begun, ticked: ticked)
        let remaining = try #require(rest.ticks.last)
        try second.expectLines([], thenTickAtMost: remaining - 1)
        expectNoDifference(code.directory.names, ["state"])
      }
    }

    /// Ends the run. Returns when it showed the last sign of life.
    private static func end(_ job: Job, _ end: End, _ code: CodeSession) throws -> Span {
      let session = code.session
      switch end {
      case .killedInForeground:
        // Only the heartbeats make the last sign of life later than this. The first one that is seen
        // may have begun before, and the last one may not be written completely.
        let start = ContinuousClock.now
        for _ in 1...3 { try code.waitForWrite() }
        try code.kill(job)
        return start...ContinuousClock.now
      case .killedWhileStopped:
        let stopped = try measured { try session.stop(job) }.during
        session.idle(for: .milliseconds(1200))
        try code.kill(job)
        return stopped
      case .killedAfterBackgrounding:
        let stopped = try measured { try session.stop(job) }.during
        try session.continueInBackground(job)
        try code.kill(job)
        return stopped.lowerBound...ContinuousClock.now
      case .terminated:
        return try measured { try code.kill(job, by: SIGTERM) }.during
      case .interrupted:
        return try measured {
          try session.terminal.type(PseudoTerminal.controlC)
          #expect(try job.waitUntilEnd() == .signaled(SIGINT))
        }.during
      case .terminatedWhileStopped:
        _ = try session.stop(job)
        try session.signal(SIGTERM, job)
        return try measured {
          try session.signal(SIGCONT, job)
          #expect(try job.waitUntilEnd() == .signaled(SIGTERM))
        }.during
      }
    }

    @Test("Killed as soon as the launch line, or a way down or up, is read: the next one is right")
    func killedAtOnce() async throws {
      try await withCodeSession { code in
        var exit = firstLaunch
        for round in 0..<30 {
          let job = try code.launch()
          let line = try job.nextLine("the launch line") { _ in true }
          #expect(line.hasPrefix(exit), "round \(round): \(line)")
          switch round % 3 {
          case 0:
            exit = #"{"type":"launch","previousExit":"killedInForeground""#
          case 1:
            // The process runs on for a moment after the line, before it stops.
            _ = try job.linesThroughTick()
            try code.session.terminal.type(PseudoTerminal.controlZ)
            _ = try job.lines { $0.contains("didEnterBackground") }
            exit = #"{"type":"launch","previousExit":"killedInBackground""#
          default:
            _ = try job.linesThroughTick()
            _ = try code.session.stop(job)
            try code.session.foreground(job)
            _ = try job.lines { $0.contains("didBecomeActive") }
            exit = #"{"type":"launch","previousExit":"killedInForeground""#
          }
          // Sooner than the shell can.
          expectNoDifference(kill(job.processID, SIGKILL), 0)
          #expect(try job.waitUntilEnd() == .signaled(SIGKILL))
        }
        expectNoDifference(code.directory.names, ["state"])
      }
    }

    @Test("Finished, then launched again: a new countdown, of the duration that is asked for")
    func finishedBefore() async throws {
      try await withCodeSession { code in
        let first = try code.launch(seconds: 1)
        let (lines, ended) = try measured { try first.waitUntilOutputEnds() }
        expectNoDifference(lines.withoutTicks, [firstLaunch] + launch + [finished])
        #expect(lines.ticks.isWholeCountdown(from: 1), "\(lines)")
        #expect(try first.waitUntilEnd() == .exited(0))
        let (second, launched) = try measured {
          let second = try code.launch(seconds: 2)
          return (job: second, line: try second.nextLine("the launch line") { _ in true })
        }
        try expectLaunch(second.line, "endedProperly", lastSeen: ended, launched: launched)
        #expect(try second.job.waitUntilEnd() == .exited(0))
        let rest = second.job.takeAvailableLines()
        expectNoDifference(rest.withoutTicks, launch + [finished])
        #expect(rest.ticks.isWholeCountdown(from: 2), "\(rest)")
      }
    }

    @Test("Killed as soon as finished is read: it had ended properly")
    func killedWhenFinished() async throws {
      try await withCodeSession { code in
        for round in 0..<3 {
          let job = try code.launch(seconds: 1)
          let lines = try job.lines { $0 == finished }
          #expect(round == 0 || lines[0].contains(#""previousExit":"endedProperly""#))
          #expect(lines.ticks.isWholeCountdown(from: 1), "\(lines)")
          // It may have ended by itself.
          try? code.session.signal(SIGKILL, job)
          #expect(try job.waitUntilEnd().isEnd)
        }
      }
    }

    @Test("The deadline passes while it is dead: it says so at once, and exits with 0")
    func deadlineWhileDead() async throws {
      try await withCodeSession { code in
        try withEnoughTime(1) { seconds in
          let first = try code.launch(seconds: seconds)
          _ = try first.linesThroughTick()
          // It may have come to its end before.
          expectNoDifference(kill(first.processID, SIGKILL), 0)
          try requireInTime(try first.waitUntilEnd(), .signaled(SIGKILL))
          code.session.idle(for: .seconds(seconds))
          let second = try code.launch(seconds: 300)
          // The first may have noted its end before it was killed.
          let firstLines = try second.linesThroughTick()
          if firstLines.ticks != [0] {
            try code.kill(second)
            throw TooLate(firstLines)
          }
          #expect(try second.waitUntilEnd() == .exited(0))
          let lines = try second.waitUntilOutputEnds()
          expectNoDifference(Array(lines.dropFirst()), launch + [tick(0), finished])
          #expect(lines[0].contains("killedInForeground"))
          let third = try code.launch(seconds: 300)
          #expect(try third.nextLine()?.contains("endedProperly") == true)
          try third.expectLines(launch, thenTickAtMost: 300)
        }
      }
    }

    @Test("Without a file every launch is the first, and nothing is left behind")
    func noFile() async throws {
      try await withCodeSession { code in
        let program = try builtProgramPath("verification-code")
        let script = "cd '\(code.directory.path)' && exec '\(program)' --format json"
        for _ in 1...2 {
          let job = try code.session.launch(JobRequest(["sh", "-c", "\(script) --seconds 200"]))
          try job.expectLines([firstLaunch] + launch, thenTickAtMost: 200)
          try code.kill(job)
        }
        expectNoDifference(code.directory.names, [])
      }
    }

    @Test("Killed at random moments, 30 times: no other file at any time, and never unknown")
    func randomKills() async throws {
      try await withCodeSession { code in
        var random = SeededGenerator(seed: 20_261_121)
        // What the next launch line may say.
        var exits: Set = ["firstLaunch"]
        var launches = 0
        for round in 0..<30 {
          let job = try code.launch()
          if round.isMultiple(of: 2) { _ = try job.nextLine("a launch line") { _ in true } }
          let milliseconds = Int.random(in: 0...60, using: &random)
          code.session.idle(for: .milliseconds(milliseconds))
          try code.kill(job)
          expectNoDifference(code.directory.names.filter { $0 != "state" }, [], "round \(round)")
          let line = try job.waitUntilOutputEnds().first
          if let line {
            let exit = try #require(reportLine(line).previousExit?.rawValue)
            #expect(exits.contains(exit), "round \(round): \(line)")
            exits = ["killedInForeground"]
            launches += 1
          } else {
            exits.formUnion(["killedInForeground", "killedInBackground"])
          }
        }
        #expect(launches >= 15)
      }
    }
  }
}
