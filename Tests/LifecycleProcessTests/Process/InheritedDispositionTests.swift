import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Inherited dispositions", .serialized)
  struct InheritedDispositionTests {
    @Test("A signal that is ignored at the start stays ignored, and is no event")
    func ignoredSignals() async throws {
      try await withProbeSession { session in
        let probe = try session.launchProbe(["--reload", "hangUp"]) {
          $0.ignoredSignals = .some([SIGHUP, SIGINT, SIGTSTP])
        }
        // The thread of the source, which names itself, leaves them to the threads that the program
        // has chosen.
        try probe.waitUntilThreadWaits()
        try probe.waitUntilAllThreadsWait()
        let thread = try #require(ThreadStatus.waiting(of: probe.job.processID))
        let snapshot = try #require(ProcessSnapshot(probe.job.processID))
        for signal in [SIGHUP, SIGINT, SIGTSTP, SIGTERM, SIGCONT] {
          let (bit, isIgnored) = (
            ProcessSnapshot.bit(signal), ![SIGTERM, SIGCONT].contains(signal)
          )
          #expect((snapshot.ignored & bit != 0) == isIgnored, "\(signal)")
          #expect((snapshot.caught & bit == 0) == isIgnored, "\(signal)")
          #expect((thread.blocked & bit != 0) == isIgnored, "\(signal)")
        }
        try session.terminal.type(PseudoTerminal.controlZ)
        try session.terminal.type(PseudoTerminal.controlC)
        try session.signal(SIGHUP, probe.job)
        expectNoDifference(try probe.ping().summaries, [])
        #expect(probe.job.statuses.isEmpty)
        // What comes next proves that the source has seen nothing before it.
        try session.signal(SIGTERM, probe.job)
        expectNoDifference(try probe.remainingLines().summaries, termination)
      }
    }

    @Test("In a process whose parent has blocked every signal, Ctrl-Z, fg and SIGTERM work")
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
        #expect(try probe.end(by: SIGTERM).events.last?.kind == .willTerminate)
      }
    }

    @Test(
      """
      Programs that the process starts inherit no handler, no mask, nothing ignored; during the end, \
      SIGTTIN and SIGTTOU alone are ignored
      """,
      arguments: [SIGUSR2, SIGTERM]
    )
    func startedProgramsInheritNoHandler(signal: CInt) async throws {
      try await withProbe([
        "--action", "spawn", "--action-kind", "willTerminate", "--bus", "nonisolated",
      ]) { session, probe in
        try session.signal(signal, probe.job)
        var line = try probe.nextLine()
        while case .event = line.content { line = try probe.nextLine() }
        guard case .child(_, let blocked, let ignored) = line.content else {
          Issue.record("\(line.summary)")
          return
        }
        expectNoDifference(blocked, 0)
        let stops = ProcessSnapshot.bit(SIGTTIN) | ProcessSnapshot.bit(SIGTTOU)
        // 32 and 33 are the C library's own.
        expectNoDifference(ignored & 0x7fff_ffff, signal == SIGTERM ? stops : 0)
      }
    }
  }
}
