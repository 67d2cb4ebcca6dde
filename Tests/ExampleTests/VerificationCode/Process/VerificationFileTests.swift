import CustomDump
import Foundation
import JobControl
import LifecycleJournaling
import ReactiveLifecycle
import TestSupport
import Testing

extension VerificationCodeTests {
  @Suite("Its file", .serialized)
  struct FileTests {
    /// What somebody may do to the file.
    enum Damage: String, CaseIterable, Sendable {
      case text, zeroByte, truncated, inHalf, flipped, longer

      func apply(to bytes: Data) -> Data {
        switch self {
        case .text: Data("to do: buy milk\n".utf8)
        case .zeroByte: Data([0])
        case .truncated: bytes.dropLast()
        case .inHalf: bytes.prefix(4096)
        case .flipped: Data(bytes.enumerated().map { $0 == 40 ? ~$1 : $1 })
        case .longer: bytes + [1]
        }
      }
    }

    @Test("A damaged file is named, set aside beside it, and unknown", arguments: Damage.allCases)
    func damagedFileIsNamed(_ damage: Damage) async throws {
      try await withCodeSession { code in
        let first = try code.launch()
        _ = try first.linesThroughTick()
        try code.kill(first)
        let file = URL(fileURLWithPath: code.state)
        let bytes = damage.apply(to: try Data(contentsOf: file))
        try bytes.write(to: file)

        let second = try code.launch(seconds: 200) { $0.standardError = .lines }
        let lines = try second.linesThroughTick()
        #expect(lines[0].hasPrefix("verification-code: \(code.state) "), "\(lines[0])")
        #expect(lines[0].contains("\(code.state).damaged"), "\(lines[0])")
        expectNoDifference(Array(lines[1...4]), [unknownExit] + launch)
        // The countdown goes on where it could be read.
        #expect(lines.ticks.isCountdown(from: 300), "\(lines)")
        try code.kill(second)
        expectNoDifference(code.directory.names, ["state", "state.damaged"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(code.state).damaged")) == bytes)

        let third = try code.launch(seconds: 10) { $0.standardError = .lines }
        #expect(try third.linesThroughTick()[0].contains("killedInForeground"))
        expectNoDifference(code.directory.names, ["state", "state.damaged"])
      }
    }

    @Test("An empty file, as mktemp makes it, is a first launch")
    func emptyFileIsAFirstLaunch() async throws {
      try await withCodeSession { code in
        try Data().write(to: URL(fileURLWithPath: code.state))
        let job = try code.launch(seconds: 9) { $0.standardError = .lines }
        try job.expectLines([firstLaunch] + launch, thenTickAtMost: 9)
        expectNoDifference(code.directory.names, ["state"])
      }
    }

    @Test("A journal without a countdown, or with another value in its place, is a new countdown")
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

    /// Where no file can be, and what the message must say beside the path.
    enum Refusal: String, CaseIterable, Sendable {
      case directory, pipe, device, noDirectory, danglingLinkIntoNowhere

      func path(in code: CodeSession) throws -> String {
        switch self {
        case .directory: return code.directory.path
        case .pipe:
          try #require(mkfifo(code.state, 0o600) == 0)
          return code.state
        case .device: return "/dev/null"
        case .noDirectory: return "\(code.directory.path)/none/state"
        case .danglingLinkIntoNowhere:
          let target = "\(code.directory.path)/none/state"
          try FileManager.default.createSymbolicLink(
            atPath: code.state,
            withDestinationPath: target
          )
          return code.state
        }
      }

      var text: String {
        switch self {
        case .directory: "a directory"
        case .pipe: "a pipe"
        case .device: "a device"
        case .noDirectory, .danglingLinkIntoNowhere: "No such file or directory"
        }
      }
    }

    @Test("What cannot be a file is named, with the status 1", arguments: Refusal.allCases)
    func unusableFileIsNamed(_ refusal: Refusal) async throws {
      try await withCodeSession { code in
        let path = try refusal.path(in: code)
        let files = code.directory.names
        let job = try code.launch(state: path) { $0.standardError = .lines }
        #expect(try job.waitUntilEnd() == .exited(1))
        let lines = try job.waitUntilOutputEnds()
        expectNoDifference(lines.count, 1)
        #expect(lines[0].hasPrefix("verification-code: "))
        #expect(lines[0].contains(path) && lines[0].contains(refusal.text), "\(lines)")
        expectNoDifference(code.directory.names, files)
      }
    }

    @Test(
      "A file or a directory without permission is named, with the status 1, and left alone",
      .enabled(
        if: ProgramCapability.canRunUnprivileged("verification-code"),
        "no program can be run as a user without rights"
      ),
      arguments: ["directory", "file", "read-only file"]
    )
    func noPermission(_ what: String) async throws {
      try await withCodeSession { code in
        let first = try code.launch()
        _ = try first.linesThroughTick()
        try code.kill(first)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: code.state))
        var path = code.state
        switch what {
        case "directory":
          path = "\(code.directory.path)/other"
          chmod(code.directory.path, 0o555)
        case "file": chmod(path, 0)
        default: chmod(path, 0o444)
        }
        let job = try code.launch(state: path, wrapper: ProgramCapability.unprivileged) {
          $0.standardError = .lines
        }
        #expect(try job.waitUntilEnd() == .exited(1))
        let lines = try job.waitUntilOutputEnds()
        expectNoDifference(lines.count, 1)
        #expect(lines[0].contains(path) && lines[0].contains("Permission denied"), "\(lines)")
        chmod(code.directory.path, 0o755)
        chmod(code.state, 0o600)
        expectNoDifference(code.directory.names, ["state"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: code.state)) == bytes)
      }
    }

    @Test("A file that another one uses: named, with its process, status 1; the other one ticks on")
    func inUse() async throws {
      try await withCodeSession { code in
        let first = try code.launch()
        let before = try first.linesThroughTick().ticks
        for format in ["json", "text"] {
          let second = try code.launch {
            $0.placement = .newSession
            $0.standardInput = .null
            $0.standardError = .lines
            $0.arguments += ["--format", format]
          }
          #expect(try second.waitUntilEnd() == .exited(1))
          let lines = try second.waitUntilOutputEnds()
          expectNoDifference(lines.count, 1)
          #expect(lines[0].contains(code.state) && lines[0].contains("\(first.processID)"))
        }
        var ticks = before
        for _ in 1...2 { ticks += try first.linesThroughTick().ticks }
        #expect(ticks.isCountdown(from: 300), "\(ticks)")
        try code.kill(first, by: SIGTERM)
        #expect(try code.launch().nextLine()?.contains("endedProperly") == true)
        expectNoDifference(code.directory.names, ["state"])
      }
    }

    @Test(
      "A file that can be written to no more: one message, and it goes on; then it is written again",
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

    @Test(
      "Until the end nothing can be written: still one message; the next launch says it once more",
      .enabled(if: ProgramCapability.isInPath("prlimit"), "prlimit is not installed")
    )
    func writeFailureUntilTheEnd() async throws {
      try await withCodeSession { code in
        try withEnoughTime(5) { seconds in
          // Each attempt has a file of its own.
          let code = CodeSession(code.session)
          let launched = ContinuousClock.now
          let job = try code.launch(seconds: seconds) {
            $0.standardError = .lines
            $0.ignoredSignals = .some([SIGXFSZ])
          }
          _ = try job.linesThroughTick()
          let limited = Result { try limitFiles(of: job, to: "0") }
          if ContinuousClock.now - launched >= .seconds(seconds) { throw TooLate(limited) }
          try limited.get()
          #expect(try job.waitUntilEnd() == .exited(0))
          let lines = job.takeAvailableLines()
          expectNoDifference(lines.last, finished)
          expectNoDifference(lines.count { !$0.hasPrefix("{") }, 1, "\(lines)")
          let next = try code.launch()
          #expect(try next.waitUntilEnd() == .exited(0))
          let said = try next.waitUntilOutputEnds()
          #expect(said[0].contains("killedInForeground"))
          expectNoDifference(Array(said.dropFirst()), launch + [tick(0), finished])
        }
      }
    }

    private func limitFiles(of job: Job, to limit: String) throws {
      let arguments = ["prlimit", "--pid", "\(job.processID)", "--fsize=\(limit):unlimited"]
      let result = try runProgram("/usr/bin/env", arguments)
      if result.status != .exited(0) { throw NotLimited(text: result.text) }
    }

    private struct NotLimited: Error {
      var text: String
    }
  }
}
