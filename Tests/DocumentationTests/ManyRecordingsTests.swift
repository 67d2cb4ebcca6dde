import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The queries of the article, in DuckDB, on recordings that a script makes.
@MainActor
@Suite("Many recordings", .startsProcesses)
struct ManyRecordingsTests {
  /// `python3`, which also finds what `.ci/install-tools` has installed.
  private nonisolated static let python = [
    "PYTHONPATH=\(Sample.root.appending(path: ".build/python").path)", "python3", "-c",
  ]
  private nonisolated static let hasDuckDB =
    (try? runProgram("/usr/bin/env", python + ["import duckdb"]))?.status == .exited(0)
  private static let article =
    "Sources/LifecycleFlightRecording/Documentation.docc/ManyRecordings.md"

  private let directory = TemporaryDirectory()

  @Test(
    "Each query of the article has the result that the article quotes",
    .enabled(if: hasDuckDB, "python3 has no module duckdb: run .ci/install-tools")
  )
  func queries() throws {
    try writeRecordings()
    let article = try Sample.text(Self.article)
    let arguments =
      ["-C", directory.path] + Self.python
      + [Self.program, Sample.root.appending(path: Self.article).path]
    let (status, output) = try runProgram("/usr/bin/env", arguments)
    expectNoDifference(status, .exited(0), "\(output)")
    let quoted = article.matches(of: /(?s)```text\n.*?```\n/).map { String($0.0) }.joined()
    expectNoDifference(output, quoted)
  }

  @Test(
    "The article's jq command removes user data, and leaves a recording",
    .enabled(if: ProgramCapability.isInPath("jq"), "jq is not installed")
  )
  func userData() throws {
    let article = try Sample.text(Self.article)
    let command = try #require(article.split(separator: "\n").first { $0.hasPrefix("jq ") })
    let bus = LifecycleBus()
    let recorder = FlightRecorder(of: bus, version: "2.1 (40)")
    recorder.note("secret")
    bus.send(.didBecomeActive, metadata: ["user": "secret"])
    // The process was killed while it wrote its last line; the next run follows in the same file.
    let recording = recorder.recording
    let cut = Array("{\"continuous\":12,\"ki\n".utf8)
    let runs = recording.jsonLines + cut + recording.jsonLines
    try Data(runs).write(to: URL(filePath: directory.path("life.jsonl")))
    let script = #"cd "$1" && "# + command
    let result = try runProgram("/bin/sh", ["-c", script, "sh", directory.path])
    expectNoDifference(result.status, .exited(0), "\(result.text)")
    let file = try FlightFile(contentsOf: directory.path("sent.jsonl"))
    expectNoDifference(file.damage, [])
    let count = recording.records.count
    expectNoDifference(file.recordings.map(\.records.count), [count, count])
    expectNoDifference(file.recordings.first?.process.run, recording.process.run)
    expectNoDifference(file.recordings.first?.process.bootID, nil)
    let text = String(decoding: directory.bytes("sent.jsonl"), as: UTF8.self)
    #expect(!text.contains("secret"))
  }

  /// Runs the blocks of SQL in an article, and prints each table as the article quotes it.
  private static let program = #"""
    import duckdb, re, sys
    for sql in re.findall(r"```sql\n(.*?)```", open(sys.argv[1]).read(), re.S):
        result = duckdb.sql(sql)
        if sql.startswith("CREATE"): continue
        rows = [result.columns] + [[str(cell) for cell in row] for row in result.fetchall()]
        widths = [max(map(len, column)) for column in zip(*rows)]
        print("```text")
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        print("```")
    """#

  // MARK: The recordings

  /// The lives of some processes, with the version of the program: each is a file.
  private static let lives: [(version: String, steps: [LifecycleStep])] = [
    ("1.0", [.launch, .becomeActive, .background(for: .seconds(20)), .kill]),
    (
      "1.0",
      [
        .launch, .becomeActive, .duplicate(.didBecomeActive), .duplicate(.didBecomeActive),
        .background(for: .seconds(1_200), deviceAsleep: .seconds(900)), .enterBackground, .kill,
      ]
    ),
    ("1.0", [.launch, .becomeActive, .enterBackground, .advance(by: .seconds(600)), .kill]),
    (
      "1.1",
      [
        .launch, .becomeActive, .setWallClock(by: .seconds(-3_600)), .advance(by: .seconds(5)),
        .background(for: .seconds(40)), .terminate,
      ]
    ),
    (
      "1.1",
      [
        .launch, .becomeActive, .background(for: .seconds(30_000), deviceAsleep: .seconds(29_000)),
        .background(for: .seconds(3_600), deviceAsleep: .seconds(1_800)),
        .setWallClock(by: .seconds(90)), .enterBackground, .terminate,
      ]
    ),
    (
      "1.1",
      [
        .launch, .becomeActive, .duplicate(.didBecomeActive), .background(for: .seconds(200_000)),
        .resignActive, .kill,
      ]
    ),
  ]

  private func writeRecordings() throws {
    let folder = URL(filePath: directory.path("recordings"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for (number, life) in zip(1..., Self.lives) {
      var recording = try record(life.steps, slow: number < 4 ? [] : number < 6 ? [31] : [12, 31])
      recording.process.version = life.version
      recording.process.run = "run-\(number)"
      // As a recorder that rotates: a file has each half of the run.
      let parts = recording.halves
      let current = folder.appending(path: "\(number).jsonl")
      let older = folder.appending(path: "\(number).jsonl.1")
      // As lines that were sent one by one: their order has no meaning.
      let lines = parts.0.jsonLines.split(separator: UInt8(ascii: "\n")).reversed()
      try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: older)
      // As after a kill while the last line was written.
      try Data(parts.1.jsonLines + #"{"continuous":12,"ki"#.utf8).write(to: current)
    }
  }

  /// Returns the recording of a process that plays the steps.
  ///
  /// - Parameter slow: The lines of the observers that run when a deadline passes.
  private func record(_ steps: [LifecycleStep], slow: [UInt]) throws -> FlightRecording {
    let lifecycle = ScriptedLifecycle()
    let (bus, scope, widget) = (lifecycle.bus, LifecycleScope("save"), TestSource("widget"))
    let connection = try bus.connect(widget, as: .participant("widget"))
    for line: UInt in [12, 31] {
      bus.addObserver(
        for: .didEnterBackground,
        in: scope,
        fileID: "App/Documents.swift",
        line: line
      ) { event in
        // As a thread that waits for the observers does at its deadline.
        if slow.contains(line) { _ = bus.core.noteOverrun(of: event.kind) }
      }
    }
    lifecycle.perform(Array(steps.prefix(2)))
    widget.feed.send(.didFinishLaunching)
    lifecycle.perform(Array(steps.dropFirst(2)))
    scope.end()
    connection.cancel()
    return try #require(lifecycle.recordings.first)
  }
}

extension FlightRecording {
  /// The recording as two that continue each other.
  fileprivate var halves: (FlightRecording, FlightRecording) {
    var (first, second) = (self, self)
    first.records = Array(records.prefix(records.count / 2))
    second.records = Array(records.dropFirst(first.records.count))
    for record in first.records { second.start.advance(past: record) }
    second.start.dropped += first.records.count
    return (first, second)
  }
}
