import CustomDump
import Foundation
import JobControl
import LifecycleJournaling
import ReactiveLifecycle
import TestSupport
import Testing

/// The built program on the real system, one at a time: time is the subject.
@Suite("Verification code process", .serialized, .startsProcesses)
struct VerificationProcessTests {
  @Test("After a finished countdown, the next launch starts a new one")
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

  @Test("A deadline that passed between two runs is reported at the launch")
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

  @Test("Without a file, each launch is the first, and no file is left")
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

  // MARK: The file

  @Test("A journal with another value in place of the countdown starts a new one")
  func otherValue() async throws {
    try await withCodeSession { code in
      let bus = NonisolatedLifecycleBus()
      let journal = try LifecycleJournal(at: code.state, of: bus)
      try journal.set("a text", forKey: "resend")
      journal.end()
      let job = try code.launch(seconds: 9) { $0.standardError = .lines }
      let lines = try job.linesThroughTick()
      #expect(lines[0].hasPrefix("verification-code: "))
      #expect(lines[0].contains(code.state))
      #expect(lines[1].contains("endedProperly"))
      expectNoDifference(lines.dropFirst(2).dropLast(), launch[...])
      #expect(lines.ticks.isCountdown(from: 9), "\(lines)")
    }
  }

  @Test(
    "A path that can't be a file is named, and the status is 1",
    arguments: [
      ("", "a directory"), ("pipe", "a pipe"), ("none/state", "No such file or directory"),
    ]
  )
  func unusableFileIsNamed(name: String, reason: String) async throws {
    try await withCodeSession { code in
      let path = code.directory.path(name)
      if name == "pipe" { try #require(mkfifo(path, 0o600) == 0) }
      let files = code.directory.names
      let job = try code.launch(state: path) { $0.standardError = .lines }
      #expect(try job.waitUntilEnd() == .exited(1))
      let lines = try job.waitUntilOutputEnds()
      expectNoDifference(lines.count, 1)
      #expect(lines[0].hasPrefix("verification-code: "))
      #expect(lines[0].contains(path) && lines[0].contains(reason), "\(lines)")
      expectNoDifference(code.directory.names, files)
    }
  }

  @Test(
    "A file that can't be written is reported once, and written again later",
    .enabled(if: ProgramCapability.isInPath("prlimit"), "prlimit is not installed")
  )
  func writeFailure() async throws {
    try await withCodeSession { code in
      let job = try code.launch {
        $0.standardError = .lines
        $0.ignoredSignals = .some([SIGXFSZ])
      }
      _ = try job.linesThroughTick()
      try limitFiles(of: job, to: "0")
      // The heartbeat's message, and then three ticks without another one.
      let message = try job.nextLine("a message") { !$0.hasPrefix("{") }
      #expect(message.hasPrefix("verification-code: "))
      #expect(message.contains(code.state) && message.contains("File too large"), "\(message)")
      var lines = try code.session.stop(job).lines
      lines += try code.session.resume(job).lines
      for _ in 1...3 { lines += try job.linesThroughTick() }
      expectNoDifference(lines.filter { !$0.hasPrefix("{") }, [])
      try limitFiles(of: job, to: "unlimited")
      try code.kill(job, by: SIGTERM)
      #expect(try code.launch().nextLine()?.contains("endedProperly") == true)
    }
  }

  private func limitFiles(of job: Job, to limit: String) throws {
    let arguments = ["prlimit", "--pid", "\(job.processID)", "--fsize=\(limit):unlimited"]
    let result = try runProgram("/usr/bin/env", arguments)
    try #require(result.status == .exited(0), "\(result.text)")
  }
}
