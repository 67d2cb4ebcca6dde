import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

@Suite("Job control", .serialized, .startsProcesses)
struct JobControlTests {
  @Test("A job that ends right after SIGCONT is reported as continued, then as ended")
  func continuedAndEnded() async throws {
    try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
      let job = try session.launch(JobRequest(["sh", "-c", "kill -STOP $$; exit 3"]))
      #expect(try job.nextStatus().status == .stopped(SIGSTOP))
      // The shell looks when it is all over.
      kill(session.shellProcessID, SIGSTOP)
      kill(job.processID, SIGCONT)
      while ProcessSnapshot(job.processID)?.state != "Z" { session.idle(for: .milliseconds(1)) }
      kill(session.shellProcessID, SIGCONT)
      #expect(try job.nextStatus().status == .continued)
      #expect(try job.nextStatus().status == .exited(3))
    }
  }

  @Test("A program that does not exist is refused, and the shell goes on")
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

  @Test("Closing a session leaves no process, not even jobs that ignore signals")
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

  @Test("Jobs do not outlive a shell whose parent is gone")
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

  @Test("Closed sessions leave no descriptor and no thread in the parent")
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

  @Test("The output of a program that is run without a terminal is in order, with its diagnostics")
  func outputAndDiagnosticsComeTogether() throws {
    let script = "echo one; echo two >&2; echo three; exit 3"
    let (status, text) = try runProgram("/bin/sh", ["-c", script])
    expectNoDifference(text, "one\ntwo\nthree\n")
    expectNoDifference(status, .exited(3))
    #expect(throws: JobControlError.self) { try runProgram("/nonexistent/program") }
  }
}
