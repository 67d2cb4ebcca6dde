import CustomDump
import Foundation
import JobControl
import LifecycleCore
import TestSupport
import Testing

extension ProcessTests {
  @Suite(
    "A process under bash",
    .serialized,
    .enabled(if: ProgramCapability.isInPath("bash"), "there is no bash in PATH")
  )
  struct BashTests {
    @Test("Ctrl-C ends a loop of bash")
    func controlCEndsALoop() async throws {
      try await withProbeSession { session in
        let script = "for i in 1 2 3; do \"$@\"; done; echo the loop went on"
        let probe = try session.launchProbe(wrapper: ["bash", "-c", script, "bash"])
        try session.terminal.type(PseudoTerminal.controlC)
        #expect(try probe.job.nextStatus().status == .signaled(SIGINT))
        try probe.job.waitUntilOutputEnds()
        #expect(!probe.job.lines.contains("the loop went on"))
        expectNoDifference(try probe.availableLines().summaries, termination)
      }
    }

    @Test("In an interactive bash, Ctrl-Z, bg, fg and Ctrl-C have the events of job control")
    func interactiveBashStopsContinuesAndInterrupts() async throws {
      try await withProbeSession { session in
        let terminal = try PseudoTerminal()
        let bash = try session.launch(
          with(JobRequest(["bash", "--noprofile", "--norc", "-i"])) {
            $0.placement = .newSessionOnTerminal(terminal.slavePath)
          }
        )
        let probe = Probe(job: bash, session: session)
        try terminal.type("\(try builtProgramPath("lifecycle-probe")) observe\n")
        try probe.waitUntilReady()
        expectNoDifference(probe.launchLines.summaries, launch)

        try terminal.type(PseudoTerminal.controlZ)
        expectNoDifference(try probe.lines(through: .didEnterBackground).summaries, background)
        try terminal.type("echo stopped\n")
        try bash.nextLine("bash") { $0 == "stopped" }
        // bash sends SIGCONT for bg, and none for the fg that follows.
        try terminal.type("bg; echo in the background: $!\n")
        let line = try bash.nextLine("bash") { $0.hasPrefix("in the background: ") }
        let process = try #require(line.split(separator: " ").last.flatMap { pid_t($0) })
        // It has looked at the terminal twice.
        func waits() throws -> Int { try #require(ThreadStatus.waiting(of: process)).waits }
        let before = try waits()
        try session.wait(for: "two readings") { try waits() >= before + 3 }
        try terminal.type("fg\n")
        expectNoDifference(try probe.lines(through: .didBecomeActive).summaries, foreground)

        try terminal.type(PseudoTerminal.controlZ)
        _ = try probe.lines(through: .didEnterBackground)
        try terminal.type("fg\n")
        expectNoDifference(
          try probe.lines(through: .didBecomeActive).summaries,
          ["10 willEnterForeground synthesized", "11 didBecomeActive source"]
        )
        try terminal.type(PseudoTerminal.controlC)
        #expect(try probe.lines(through: .willTerminate).last?.event?.sequenceNumber == 14)
        try terminal.type("echo status $?\n")
        try bash.nextLine("bash") { $0 == "status 130" }
      }
    }
  }
}
