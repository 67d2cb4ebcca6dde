import CustomDump
import Foundation
import JobControl
import ReactiveLifecycle
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Stop and continue", .serialized)
  struct StopAndContinueTests {
    @Test("On Ctrl-Z observers run, then the process stops by SIGTSTP", arguments: buses)
    func controlZ(bus: String) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--bus", bus)
        expectNoDifference(probe.launchLines.summaries, launch)
        let lines = try probe.stop()
        expectNoDifference(lines.summaries, background)
        expectNoDifference(lines.events.last?.metadata, ["signal": "SIGTSTP"])
        expectNoDifference(ProcessSnapshot(probe.job.processID)?.state, "T")
        let stopped = try #require(probe.job.statuses.last)
        #expect(lines.allSatisfy { $0.nanoseconds < stopped.nanoseconds })
      }
    }

    @Test("On fg the process is in the foreground, then active", arguments: buses)
    func foregroundAgain(bus: String) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--bus", bus)
        let stopLines = try probe.stop()
        let pause = Duration.milliseconds(200)
        session.idle(for: pause)
        let start = ContinuousClock.now
        let lines = try probe.resume()
        let returning = ContinuousClock.now - start
        expectNoDifference(lines.summaries, foreground)
        try #require(lines.events.count == 2)
        let stays = lines.events.map(\.backgroundStay)
        let stay = try #require(stays[0])
        expectNoDifference(stays[1], nil)
        let left = try #require(stopLines.events.last).instant
        let returned = lines.events[0].instant
        expectNoDifference(stay, BackgroundStay(from: left, to: returned))
        #expect(stay.duration >= pause)
        // No more than may pass while the clocks are read.
        #expect(stay.timeAsleep <= returning)
      }
    }

    @Test("100 Ctrl-Z/fg cycles give exact counts", arguments: buses)
    func hundredCycles(bus: String) async throws {
      let cycles = 100
      try await withProbeSession { session in
        let probe = try session.launchProbe("--bus", bus)
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

    @Test("The SIGCONT that ends a stop runs no handler, which could be late for the next Ctrl-Z")
    func continuationIsNotHandled() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe()
        func isContinueCaught() throws -> Bool {
          let caught = try #require(ProcessSnapshot(probe.job.processID)).caught
          return caught & ProcessSnapshot.bit(SIGCONT) != 0
        }
        #expect(try isContinueCaught())
        _ = try probe.stop()
        #expect(try !isContinueCaught())
        _ = try probe.resume()
        #expect(try isContinueCaught())
      }
    }

    @Test("Ctrl-Z typed right after fg stops, whether the return was noticed or not")
    func stopRightAfterReturn() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--bus", "nonisolated")
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

    @Test("Ctrl-Z, then bg: running in the background is no return", arguments: buses)
    func backgroundRun(bus: String) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--bus", bus)
        expectNoDifference(try probe.stop().summaries, background)
        try session.continueInBackground(probe.job)
        session.idle(for: pollInterval * 3)
        expectNoDifference(try probe.ping().summaries, [])
      }
    }

    @Test("After bg, fg without SIGCONT is a return")
    func silentForeground() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe()
        expectNoDifference(try probe.stop().summaries, background)
        try session.continueInBackground(probe.job)
        expectNoDifference(try probe.ping().summaries, [])
        try session.foregroundWithoutContinue(probe.job)
        let lines = try probe.lines(through: .didBecomeActive)
        expectNoDifference(lines.summaries, foreground)
        #expect(lines.events.first?.backgroundStay != nil)
      }
    }

    @Test("SIGSTOP and SIGCONT with the terminal kept are no event")
    func stopUnseen() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe()
        try session.signal(SIGSTOP, probe.job)
        #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        try expectNothingHappened(to: probe)
      }
    }

    @Test("SIGSTOP, the terminal lost meanwhile, SIGCONT: in the background on SIGCONT")
    func terminalLostUnseen() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe()
        try session.signal(SIGSTOP, probe.job)
        #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
        expectNoDifference(try probe.availableLines().summaries, [])
        try session.signal(SIGCONT, probe.job)
        expectNoDifference(try probe.lines(through: .didEnterBackground).summaries, background)
        try session.foreground(probe.job)
        expectNoDifference(try probe.lines(through: .didBecomeActive).summaries, foreground)
      }
    }

    @Test("SIGCONT to a process that was never stopped is no event")
    func spuriousContinue() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe()
        try session.signal(SIGCONT, probe.job)
        try expectNothingHappened(to: probe)
      }
    }

    @Test("1000 SIGCONT are one return at most")
    func manyContinues() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe()
        for _ in 0..<1_000 { try session.signal(SIGCONT, probe.job) }
        try expectNothingHappened(to: probe)
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        for _ in 0..<1_000 { try session.signal(SIGCONT, probe.job) }
        expectNoDifference(try probe.lines(through: .didBecomeActive).summaries, foreground)
        expectNoDifference(try probe.ping().summaries, [])
        expectNoDifference(
          try probe.stop().summaries,
          ["8 willResignActive synthesized", "9 didEnterBackground source"]
        )
      }
    }

    @Test("In an orphaned group Ctrl-Z is a stay near zero, and the process runs on")
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
        #expect(stay.duration <= ContinuousClock.now - start)
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
      }
    }

    @Test("A stop that SIGCONT has taken back is no event")
    func stopTakenBack() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe()
        try session.signal(SIGSTOP, probe.job)
        #expect(try probe.job.nextStatus().status == .stopped(SIGSTOP))
        try session.signal(SIGTSTP, probe.job)
        try session.foreground(probe.job)
        #expect(try probe.job.nextStatus().status == .continued)
        try expectNothingHappened(to: probe)
        expectNoDifference(
          probe.job.statuses.map(\.status),
          [.stopped(SIGSTOP), .continued, .stopped(SIGTSTP)]
        )
      }
    }

    @Test("A stop that SIGCONT has taken back before the engine saw it is no event")
    func stopTakenBackUnseen() async throws {
      try await withProbeSession { session in
        // The first stop is taken back by its observer, so it ends with nothing but the report that
        // the observer is late. While the engine waits for the report, the second stop comes and is
        // taken back, too: the engine finds both signals at once.
        try withEnoughTime(200) { time in
          let probe = try session.launchProbe([
            "--slow", "\(6 * time)", "--deadline", "\(5 * time)",
            "--raise-in-observer", "\(SIGCONT)", "--raise-on-overrun", "\(SIGTSTP)", "\(SIGCONT)",
          ])
          try session.terminal.type(PseudoTerminal.controlZ)
          let lines = try probe.linesUnlessStopped(through: .didBecomeActive) + probe.ping()
          try requireInTime(lines.filter { $0.event != nil }.summaries, background + foreground)
          try requireInTime(lines.count { $0.summary == "overrun" }, 1)
          #expect(probe.job.statuses.isEmpty)
        }
      }
    }

    @Test("Ctrl-Z typed again while observers run stops once")
    func controlZTwiceStopsOnce() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--slow", "200")
        // The kernel makes one signal of two that are typed at once.
        try session.terminal.type(PseudoTerminal.controlZ)
        let down = try probe.lines(through: .didEnterBackground)
        try session.terminal.type(PseudoTerminal.controlZ)
        #expect(try probe.job.nextStatus().status == .stopped(SIGTSTP))
        expectNoDifference(
          try down.summaries + probe.availableLines().summaries,
          background + ["slow observer of didEnterBackground finished"]
        )
        expectNoDifference(try probe.resume().summaries + probe.ping().summaries, foreground)
        expectNoDifference(probe.job.statuses.count, 2)
      }
    }

    @Test("SIGTSTP that comes just before a stop belongs to that stop")
    func stopBeforeStop() async throws {
      try await withProbeSession { session in
        try withEnoughTime(200) { time in
          let probe = try session.launchProbe(stoppedLate(after: time))
          try requireInTime(try probe.stop().summaries, background + ["overrun"])
          let up = try probe.resume() + probe.ping()
          expectNoDifference(up.filter { $0.event != nil }.summaries, foreground)
          expectNoDifference(probe.job.statuses.map(\.status), [.stopped(SIGTSTP), .continued])
        }
      }
    }

    @Test("SIGTSTP just before a stop that the kernel refuses belongs to that stop, too")
    func stopBeforeRefusedStop() async throws {
      try await withProbeSession { session in
        try withEnoughTime(200) { time in
          let terminal = try PseudoTerminal()
          let probe = try session.launchProbe(stoppedLate(after: time)) {
            $0.placement = .newSessionOnTerminal(terminal.slavePath)
          }
          try terminal.type(PseudoTerminal.controlZ)
          // Here no SIGCONT follows, which would take the older SIGTSTP back, too.
          let lines = try probe.lines(through: .didBecomeActive) + probe.ping()
          try requireInTime(lines.filter { $0.event != nil }.summaries, background + foreground)
          #expect(probe.job.statuses.isEmpty)
        }
      }
    }

    @Test("SIGTSTP in the background stops again and is suppressed as a duplicate")
    func stopInBackground() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe()
        expectNoDifference(try probe.stop().summaries, background)
        try session.continueInBackground(probe.job)
        // Until it has come that far, a second stop only prolongs the first.
        try probe.waitUntilCaught(SIGTSTP)
        try session.signal(SIGTSTP, probe.job)
        #expect(try probe.job.nextStatus().status == .stopped(SIGTSTP))
        // A suppressed input holds up nothing, and its place among the events is not promised.
        let lines = try probe.availableLines() + probe.resume() + probe.ping()
        let suppressed = "suppressed didEnterBackground duplicate"
        expectNoDifference(lines.summaries.filter { $0 == suppressed }, [suppressed])
        expectNoDifference(lines.summaries.filter { $0 != suppressed }, foreground)
      }
    }
  }
}

/// Expects that a probe in the foreground has printed nothing since its launch, and has handled all
/// signals that were sent to it: the stop that is asked for last comes next.
private func expectNothingHappened(
  to probe: Probe,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) throws {
  expectNoDifference(
    try probe.ping().summaries + probe.stop().summaries,
    background,
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
}

/// Options of a probe that gets SIGTSTP while the engine waits for the report that its observer is
/// late, before it stops. The engine finds the signal after the stop.
///
/// - Parameter deadline: In milliseconds.
private func stoppedLate(after deadline: Int) -> [String] {
  ["--slow", "\(2 * deadline)", "--deadline", "\(deadline)", "--raise-on-overrun", "\(SIGTSTP)"]
}

/// How often the source reads the terminal while it is in the background.
private let pollInterval = Duration.milliseconds(250)
let buses = ["main", "nonisolated"]
