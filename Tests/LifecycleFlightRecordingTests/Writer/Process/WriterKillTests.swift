import CustomDump
import Foundation
import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

/// Real processes that record, and are killed.
@Suite("Recording continuously: real processes", .serialized, .startsProcesses)
struct WriterKillTests {
  private let directory = TemporaryDirectory()

  private func launch(_ arguments: String...) throws -> PipedChild { try launch(arguments) }

  private func launch(_ arguments: [String]) throws -> PipedChild {
    try PipedChild([try builtProgramPath("lifecycle-probe"), "recording"] + arguments)
  }

  /// The files of a series, from the oldest one on.
  private func series(_ name: String) -> [String] {
    directory.names
      .filter { $0 == name || $0.hasPrefix(name + ".") }
      .sorted { Int($0.dropFirst(name.count + 1)) ?? 0 > Int($1.dropFirst(name.count + 1)) ?? 0 }
  }

  /// The counts of what a series of killed processes has left.
  private struct Findings {
    var records = 0
    var rotated = 0
    var cutOff = 0

    /// A Boolean value that indicates whether the checks had something to check.
    var areEnough: Bool { records > 1_000 && rotated > 0 }
  }

  /// Checks that nothing is unreadable but the last line of a run, and nothing missing but the end.
  private func check(_ name: String, _ findings: inout Findings, _ comment: Comment) {
    var recordings: [FlightRecording] = []
    for fileName in series(name) {
      let bytes = directory.bytes(fileName)
      guard let file = try? FlightFile(parsing: bytes) else {
        // It was killed before it had written the head.
        #expect(fileName == name && !bytes.contains(UInt8(ascii: "\n")), comment)
        continue
      }
      #expect(file.damage.allSatisfy { $0.reason.hasPrefix("it is cut off after") }, comment)
      findings.cutOff += file.damage.count
      recordings += file.recordings
    }
    let runs = recordings.runs
    expectNoDifference(Set(recordings.map(\.process.id)).count, runs.count, "\(comment)")
    for run in runs {
      let records = run.flatMap(\.records)
      let numbers = records.compactMap(\.event?.sequenceNumber)
      #expect(numbers == numbers.indices.map { numbers[0] + $0 }, comment)
      findings.records += records.count
    }
    findings.rotated += recordings.count - runs.count
  }

  /// Each process writes four files.
  @Test("Killed at a random moment at full speed, a process leaves whole lines, and gaps nowhere")
  func killed() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var findings = Findings()
    let names = ["flight", "flight-1", "flight-2", "flight-3"]
    let count = killCount(usually: 50)
    var round = 0
    // A process that hardly gets a processor leaves few records.
    while round < count || !findings.areEnough && round < 40 * count {
      round += 1
      let comment = Comment("round \(round) of seed \(seed)")
      let options =
        "--capacity 1000000 --rotating-at 3000 --keeping 2"
        + " --others 8000 --others 20000 --others 10000000"
      let child = try launch(
        [directory.path("flight")] + options.split(separator: " ").map(String.init)
      )
      #expect(child.nextLine() == "recording", comment)
      usleep(useconds_t.random(in: 0...4_000, using: &random))
      child.kill()
      for name in names {
        check(name, &findings, comment)
        // Large files take too long to read again after every round.
        let sizes = series(name).map { directory.bytes($0).count }
        guard sizes.reduce(0, +) > 60_000 else { continue }
        for old in series(name) { try FileManager.default.removeItem(atPath: directory.path(old)) }
      }
    }
    #expect(findings.areEnough, "\(findings), seed \(seed)")
    if chosenKillCount != nil { print("seed \(seed): \(findings)") }
  }

  @Test(
    "An exit writes everything and the end, except for `_exit` and that of a child by fork",
    arguments: [
      ("cancel", true), ("return", true), ("exit", true), ("_exit", false), ("child", false),
    ]
  )
  func exits(_ way: String, isEnd: Bool) throws {
    let child = try launch(directory.path("flight"), "--count", "1000", "--end", way)
    let lines = child.remainingLines()
    child.wait()
    let file = try FlightFile(contentsOf: directory.path("flight"))
    #expect(file.damage.isEmpty && file.recordings.count == 1)
    expectNoDifference(!file.findings().contains { $0.content == .noTermination }, isEnd)
    let (process, records) = (file.recordings[0].process, file.recordings[0].records)
    expectNoDifference(records.last?.content == .ended, isEnd)
    expectNoDifference([process.name, "\(process.id)"], ["lifecycle-probe", "\(child.processID)"])
    if isEnd { #expect(lines.contains("sent \(records.count - 1)"), "\(lines)") }
  }

  @Test("A file that others have continued gets no end from the exit")
  func continuedBeforeExit() throws {
    let child = try launch(directory.path("flight"), "--count", "10", "--end", "continued")
    expectNoDifference(child.remainingLines().last, "ended")
    child.wait()
    let lines = String(decoding: directory.bytes("flight"), as: UTF8.self).split(separator: "\n")
    expectNoDifference(lines.last, "another")
  }

  @Test("A file that another process records into is refused, and free again when that is killed")
  func anotherProcess() throws {
    let path = directory.path("flight")
    let first = try launch(path, "--count", "1", "--hold")
    while let line = first.nextLine(), !line.hasPrefix("sent") {}
    let second = try launch(path, "--count", "1")
    expectNoDifference(second.nextLine()?.contains("another recorder writes it"), true)
    second.wait()
    first.kill()
    let third = try launch(path, "--count", "1")
    expectNoDifference(third.nextLine(), "recording")
    third.wait()
    #expect(try FlightFile(contentsOf: path).recordings.count == 2)
  }

  @Test(
    "An idle recorder is not woken",
    .disabled(if: isThreadSanitized, "the thread sanitizer's own thread wakes all the time")
  )
  func idle() throws {
    let child = try launch(directory.path("flight"), "--count", "5", "--hold")
    while let line = child.nextLine(), !line.hasPrefix("sent") {}
    /// How often each thread was woken or interrupted.
    func switches() throws -> [String: Int] {
      let tasks = "/proc/\(child.processID)/task"
      var counts: [String: Int] = [:]
      for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
        // A thread of the queue that ends just now has no status.
        let status = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
        let lines = status?.split(separator: "\n").filter { $0.contains("ctxt_switches") }
        counts[task] = lines?.compactMap { Int($0.split(separator: "\t").last ?? "") }.reduce(0, +)
      }
      return counts
    }
    // What was recorded may still have to be written, and threads of the queue may be ending.
    var before: [String: Int] = [:]
    let isIdle = try eventually(every: .seconds(3)) {
      let last = before
      before = try switches()
      return before == last && !before.isEmpty
    }
    #expect(isIdle, "\(before)")
    #expect(before.values.allSatisfy { $0 > 0 })
  }

  // MARK: Full disks

  @Test(
    "A full disk is reported once, and everything is written once there is space",
    .enabled(if: ProgramCapability.canMount, "needs unshare and mount")
  )
  func fullDisk() throws {
    let child = try PipedChild([
      "unshare", "-rm", "sh", "-c",
      """
      mount -t tmpfs -o size=64k tmpfs "$1" && cd "$1" && head -c 40k /dev/zero >full && {
        { until grep -q sent log; do sleep 0.1; done; rm full; echo; } |
        $2 recording flight --count 60 --pauses --waits >log; cat log flight
      }
      """,
      "sh", directory.path, try builtProgramPath("lifecycle-probe"),
    ])
    let lines = child.remainingLines()
    child.wait()
    let reports = lines.filter { !$0.hasPrefix("{") }
    let failure = """
      failure The recording flight can't be written: No space left on device. Free some space.
      """
    expectNoDifference(reports.filter { $0 == failure }.count, 1, "\(reports)")
    expectNoDifference(reports.last, "ended")
    let written = lines.filter { $0.hasPrefix("{") }.joined(separator: "\n")
    let file = try FlightFile(parsing: Array(written.utf8))
    #expect(file.damage.isEmpty && file.recordings.count == 1)
    let sent = reports.first { $0.hasPrefix("sent") }
    let records = file.recordings[0].records.filter { $0.content != .ended }
    expectNoDifference(sent, "sent \(records.count)")
  }

  @Test("A failure is an issue by default, and what can't be written whole changes no file")
  func reportedByDefault() throws {
    let (path, whole) = (directory.path("flight"), directory.path("whole"))
    directory.write("old".utf8, to: "whole")
    let limit = ["--file-size-limit", "3000", "--reports"]
    let child = try launch([path, "--count", "30", "--whole", whole] + limit)
    let lines = child.remainingLines()
    child.wait()
    for path in [path, whole] {
      let report = "The recording \(path) can't be written: File too large. Raise the limit"
      #expect(lines.contains { $0.contains(report) }, "\(lines)")
    }
    expectNoDifference(directory.names, ["flight", "whole"])
    expectNoDifference(directory.bytes("whole"), Array("old".utf8))
  }

  @Test(
    "A recording that is written as a whole is on the drive before it has its name; a writer waits for nothing",
    .enabled(if: SystemCallTrace.isPossible, "needs strace")
  )
  func synchronization() throws {
    let probe = try builtProgramPath("lifecycle-probe")
    let (path, whole) = (directory.path("flight"), directory.path("whole"))
    let options = ["--count", "200", "--rotating-at", "5000", "--whole", whole]
    let calls = try SystemCallTrace.calls(
      ["fsync", "fdatasync", "rename"],
      of: [probe, "recording", path] + options
    )
    expectNoDifference(directory.names, ["flight", "flight.1", "flight.2", "flight.3", "whole"])
    let found = calls.filter { !$0.hasPrefix("rename") || $0.contains("whole") }.map { call in
      call.replacing(/\.new-\d+-1/, with: ".new").replacing(/\(\d+</, with: "(<")
        .replacing(/\s+= 0/, with: "")
    }
    expectNoDifference(
      found,
      [
        "fsync(<\(directory.path)/whole.new>)",
        #"rename("\#(directory.path)/whole.new", "\#(directory.path)/whole")"#,
        "fsync(<\(directory.path)>)",
      ]
    )
  }
}
