import Foundation
import JobControl
import TestSupport
import Testing

@Suite("Job control: ends and failures", .serialized, .startsProcesses)
struct JobControlFailureTests {
  @Test("a wait in vain says what was awaited and what was seen")
  func waitInVainSaysWhatWasAwaited() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let job = try session.launch(JobRequest(["sh", "-c", "echo first; sleep 86400"]))
      #expect(try job.nextLine() == "first")
      do {
        let line = try job.nextLine(within: .milliseconds(50))
        Issue.record("There was a line: \(line ?? "none")")
      } catch JobControlError.timedOut(let awaited, let duration, let seen) {
        #expect(awaited.hasPrefix("a line of job \(job.processID)"))
        #expect(duration == .milliseconds(50))
        #expect(seen.contains("running"))
        #expect(seen.contains("first"))
      }
    }
  }

  @Test("a wait for a status that cannot come ends at once")
  func impossibleStatusEndsTheWait() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let job = try session.launch(JobRequest(["true"]))
      #expect(try job.waitUntilEnd() == .exited(0))
      do throws(JobControlError) {
        let status = try job.nextStatus()
        Issue.record("There was a status: \(status)")
      } catch {
        guard case .ended = error else { throw error }
      }
    }
  }

  @Test("a program that does not exist is refused, and the shell goes on")
  func missingProgram() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      #expect(throws: JobControlError.refused(command: "launch", error: ENOENT)) {
        try session.launch(JobRequest(["/nonexistent/program"]))
      }
      #expect(session.terminal.foregroundGroup == session.shellProcessID)
      let next = try session.launch(JobRequest(["true"]))
      #expect(try next.waitUntilEnd() == .exited(0))
    }
  }

  @Test("when the terminal hangs up, the shell passes SIGHUP on and reports how jobs end")
  func hangUp() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let stopped = try session.launch(JobRequest(["cat"]))
      try session.terminal.type(PseudoTerminal.controlZ)
      #expect(try stopped.nextStatus().status == .stopped(SIGTSTP))
      let running = try session.launch(JobRequest(["sleep", "86400"]))
      session.terminal.close()
      #expect(try running.waitUntilEnd() == .signaled(SIGHUP))
      #expect(try stopped.waitUntilEnd() == .signaled(SIGHUP))
    }
  }

  @Test("when the shell exits, its foreground job gets SIGHUP from the system")
  func shellExit() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let job = try session.launch(JobRequest(["sleep", "86400"]))
      try session.exitShell()
      try job.waitUntilOutputEnds()
      #expect(throws: JobControlError.self) { try job.nextStatus() }
    }
  }

  @Test("closing leaves no process, however the jobs resist")
  func closingLeavesNoProcess() async throws {
    let processes = try await withJobControlSession(executable: builtProgramPath("lifecycle-probe"))
    { session in
      let stopped = try session.launch(JobRequest(["cat"]))
      try session.terminal.type(PseudoTerminal.controlZ)
      #expect(try stopped.nextStatus().status == .stopped(SIGTSTP))
      let stubborn = try session.launch(
        with(JobRequest(["sh", "-c", "echo $$; sleep 86400 & echo $!; wait"])) {
          $0.ignoredSignals = .all
          $0.blockedSignals = .all
          $0.placement = .background
        }
      )
      let daemon = try session.launch(
        with(JobRequest(["sleep", "86400"])) { $0.placement = .newSession }
      )
      #expect(try stubborn.nextLine() == "\(stubborn.processID)")
      let child = try #require(try stubborn.nextLine().flatMap { pid_t($0) })
      return [session.shellProcessID, child] + [stopped, stubborn, daemon].map(\.processID)
    }
    #expect(processes.filter(staysAlive).isEmpty)
  }

  @Test("jobs do not outlive a shell whose parent is gone")
  func parentDies() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      // The probe is itself the parent of a session, and is killed without a chance to clean up.
      let parent = try session.launch(
        JobRequest([builtProgramPath("lifecycle-probe"), "nested-session"])
      )
      let shell = try #require(try parent.nextLine().flatMap { pid_t($0) })
      let job = try #require(try parent.nextLine().flatMap { pid_t($0) })
      #expect(ProcessSnapshot.isAlive(shell) && ProcessSnapshot.isAlive(job))
      try session.signal(SIGKILL, parent)
      #expect(try parent.waitUntilEnd() == .signaled(SIGKILL))
      #expect([shell, job].filter(staysAlive).isEmpty)
    }
  }

  @Test("closed sessions leave no descriptor and no thread in the parent")
  func closedSessionsLeaveNoDescriptorOrThread() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let parent = try session.launch(
        JobRequest([builtProgramPath("lifecycle-probe"), "closed-sessions"])
      )
      let resources = try parent.waitUntilOutputEnds().map { line in
        try JSONDecoder().decode(ProbeLine.self, from: Data(line.utf8)).content
      }
      #expect(resources.count == 2)
      #expect(resources.first == resources.last)
      #expect(try parent.waitUntilEnd() == .exited(0))
    }
  }
}
