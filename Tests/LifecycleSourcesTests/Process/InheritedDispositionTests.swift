import CustomDump
import Foundation
import JobControl
import ReactiveLifecycle
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Inherited dispositions", .serialized)
  struct InheritedDispositionTests {
    @Test(
      "A signal that is ignored at the start stays ignored",
      arguments: [SIGHUP, SIGINT, SIGTSTP, SIGTERM]
    )
    func signalThatIsIgnoredAtStartStaysIgnored(signal: CInt) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe { $0.ignoredSignals = .some([signal]) }
        let bit = ProcessSnapshot.bit(signal)
        let snapshot = try #require(ProcessSnapshot(probe.job.processID))
        #expect(snapshot.ignored & bit != 0)
        expectNoDifference(snapshot.caught & bit, 0)
        switch signal {
        case SIGTSTP: try session.terminal.type(PseudoTerminal.controlZ)
        case SIGINT: try session.terminal.type(PseudoTerminal.controlC)
        default: try session.signal(signal, probe.job)
        }
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
        // What comes next proves that the source has seen nothing before it.
        if signal == SIGTSTP {
          try session.signal(SIGTERM, probe.job)
          expectNoDifference(try probe.remainingLines().summaries, termination)
        } else {
          expectNoDifference(try probe.stop().summaries, background)
        }
      }
    }

    @Test(
      "The source's thread leaves an ignored signal to the threads that the program has chosen",
      arguments: [SIGHUP, SIGTSTP]
    )
    func ignoredSignalIsNotAccepted(signal: CInt) async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe { $0.ignoredSignals = .some([signal]) }
        // The thread names itself.
        try probe.waitUntilThreadWaits()
        try probe.waitUntilAllThreadsWait()
        let thread = try #require(ThreadStatus.waiting(of: probe.job.processID))
        let signals = [SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGCONT]
        let blocked = signals.filter { thread.blocked & ProcessSnapshot.bit($0) != 0 }
        expectNoDifference(blocked, [signal])
      }
    }

    @Test("A program under nohup outlives its terminal")
    func programUnderNohupOutlivesItsTerminal() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(wrapper: ["nohup"])
        session.terminal.close()
        session.idle(for: .milliseconds(200))
        // It has no terminal any more, so it is no longer in the foreground; but it lives.
        let lines = try probe.ping()
        #expect(lines.events.allSatisfy { $0.kind != .willTerminate })
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        #expect(try probe.remainingLines().events.last?.kind == .willTerminate)
      }
    }

    @Test("With every signal blocked by the parent, Ctrl-Z, fg and SIGTERM work")
    func blockedMask() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe { $0.blockedSignals = .all }
        let blocked = try #require(ProcessSnapshot(probe.job.processID)).blocked
        for signal in [SIGTSTP, SIGCONT, SIGTERM] {
          #expect(blocked & ProcessSnapshot.bit(signal) != 0)
        }
        expectNoDifference(probe.launchLines.summaries, launch)
        expectNoDifference(try probe.stop().summaries, background)
        expectNoDifference(try probe.resume().summaries, foreground)
        try session.signal(SIGTERM, probe.job)
        #expect(try probe.job.waitUntilEnd() == .signaled(SIGTERM))
        #expect(try probe.remainingLines().events.last?.kind == .willTerminate)
      }
    }

    @Test("Programs that the process starts inherit no handler, no mask, nothing ignored")
    func startedProgramsInheritNoHandler() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe("--action", "spawn")
        try session.signal(SIGUSR2, probe.job)
        let lines = [try probe.nextLine(), try probe.nextLine()]
        expectNoDifference(lines.summaries, ["child by posix_spawn", "child by Process"])
        for line in lines {
          guard case .child(let call, let blocked, let ignored) = line.content else { continue }
          // 32 and 33 are the C library's own.
          let standard: UInt64 = 0x7fff_ffff
          expectNoDifference(blocked, 0, "\(call)")
          expectNoDifference(ignored & standard, 0, "\(call)")
        }
      }
    }
  }
}
