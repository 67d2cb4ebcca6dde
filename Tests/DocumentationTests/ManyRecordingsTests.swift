import CustomDump
import Foundation
import JobControl
import LifecycleBackgroundWork
import LifecycleFlightRecording
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The questions and commands of the articles, in several engines, on recordings of scripts.
@MainActor
@Suite("Many recordings", .startsProcesses)
struct ManyRecordingsTests {
  /// What `.ci/install-tools` has installed.
  private nonisolated static let tools = Sample.root.appending(path: ".build/python").path

  private nonisolated static func has(_ module: String) -> ConditionTrait {
    let arguments = ["PYTHONPATH=\(tools)", "python3", "-c", "import \(module)"]
    return .enabled(
      if: (try? runProgram("/usr/bin/env", arguments))?.status == .exited(0),
      "python3 has no module \(module): run .ci/install-tools"
    )
  }

  private nonisolated static let hasDuckDB = has("duckdb")
  private nonisolated static let hasClickHouse = has("chdb")
  private nonisolated static let hasSpark = ConditionTrait.enabled(
    if: FileManager.default.fileExists(atPath: tools + "/pyspark"),
    ".build/python has no pyspark: install it there as the article does, 500 MB"
  )
  private nonisolated static let hasJQ = ConditionTrait.enabled(
    if: ProgramCapability.isInPath("jq"),
    "jq is not installed"
  )

  private let directory = TemporaryDirectory()
  private let article = Article("ManyRecordings.md")
  private let sequel = Article("BeyondOneMachine.md")

  @Test("Each question has the answer that the article quotes", hasDuckDB)
  func answers() throws {
    try writeRecordings()
    let answers = try run([sequel.commands[1], "python3 ask.py duckdb duckdb.sql questions.sql"])
    expectNoDifference(answers, article.output.joined())
  }

  @Test(
    "The commands print what the article quotes, and the engines agree",
    hasDuckDB,
    hasClickHouse,
    hasJQ
  )
  func commands() async throws {
    try await ManyLives.write(200, to: URL(filePath: directory.path("received")))
    // The filter changes no answer, in no engine.
    let unfiltered = """
      for engine in duckdb clickhouse; do
        sed s/recordings/received/ $engine.sql >received.sql
        python3 ask.py ${engine/click*/chdb} received.sql questions.sql >received.txt
        cmp received.txt $engine.txt
      done
      """
    // Of a batch with lines that the table has and one of another run, only the latter is added.
    let late = """
      mkdir received
      zcat archive/* | tail -n 99 >received/late.jsonl
      echo '{"number":7,"record":"note","run":"late","wall":1767225600000000000}' >>received/late.jsonl
      \(sequel.commands[2])
      python3 ask.py duckdb duckdb.sql more.sql
      for engine in duckdb clickhouse; do
        python3 ask.py ${engine/click*/chdb} $engine-table.sql questions.sql >late.txt
        grep -q '^unknown  *killed  *unknown  *1$' late.txt
        grep -v '^unknown' late.txt | cmp - table.txt
      done
      """
    let printed = try run(
      sequel.commands[1...5] + ["cp duckdb.txt table.txt", sequel.commands[6], unfiltered]
        + [sequel.commands[7], late]
    )
    expectNoDifference(printed, sequel.output.prefix(3).joined())
  }

  @Test(
    "Two workers of Spark give the answers of DuckDB",
    hasDuckDB,
    hasClickHouse,
    hasSpark,
    hasJQ
  )
  func workers() async throws {
    try await ManyLives.write(200, to: URL(filePath: directory.path("received")))
    let port = """
      trap 'kill $(jobs -p)' EXIT
      port=$(python3 -c 'import socket; print(socket.create_server(("", 0)).getsockname()[1])')
      """
    let cluster = sequel.commands[9...10].map { $0.replacing("7077", with: "$port") }
    _ = try run(sequel.commands[1...5] + [port] + cluster)
  }

  @Test("The article's jq command removes user data, and leaves a recording", hasJQ)
  func userData() throws {
    let command = try #require(article.commands.first)
    let filter = try #require(command.firstMatch(of: /jq -cR '.+'/)).0
    #expect(sequel.commands[2].contains(filter))
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

  @Test("Writes recordings", .enabled(if: Self.wanted != nil, "RECORDINGS names no folder"))
  func manyLives() async throws {
    let (folder, count) = try #require(Self.wanted)
    try await ManyLives.write(count, to: folder)
  }

  private nonisolated static let wanted: (URL, Int)? = {
    let environment = ProcessInfo.processInfo.environment
    guard let folder = environment["RECORDINGS"] else { return nil }
    return (URL(filePath: folder), environment["COUNT"].flatMap { Int($0) } ?? 2_000)
  }()

  /// Runs commands of an article in the directory, and returns what they print.
  private func run(_ commands: [String]) throws -> String {
    let script = """
      ln -s "$1" tools
      ln -s "$2" ManyRecordings.md
      exec 2>errors.txt
      trap 'cat errors.txt' ERR
      \(commands.joined(separator: "\n"))
      """
    let (status, output) = try runProgram(
      "/usr/bin/env",
      ["-C", directory.path, "bash", "-euc", script, "bash", Self.tools, article.path]
    )
    expectNoDifference(status, .exited(0), "\(output)")
    return output
  }

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
    let host = InMemoryBackgroundTaskHost(clock: lifecycle.clock)
    let upload = BackgroundTaskCoordinator(host: host, of: bus).beginTask(named: "upload")
    if !slow.isEmpty { host.expire() }
    upload.end()
    widget.feed.send(.didFinishLaunching)
    lifecycle.perform(Array(steps.dropFirst(2)))
    scope.end()
    connection.cancel()
    return try #require(lifecycle.recordings.first)
  }
}

extension FlightRecording {
  /// The recording as two that continue each other.
  var halves: (FlightRecording, FlightRecording) {
    var (first, second) = (self, self)
    first.records = Array(records.prefix(records.count / 2))
    second.records = Array(records.dropFirst(first.records.count))
    for record in first.records { second.start.advance(past: record) }
    second.start.dropped += first.records.count
    return (first, second)
  }
}

/// An article of the module, and its blocks.
private struct Article {
  let path: String
  /// The blocks of commands.
  let commands: [String]
  /// The blocks of what was printed.
  let output: [String]

  init(_ name: String) {
    let file = "Sources/LifecycleFlightRecording/Documentation.docc/\(name)"
    path = Sample.root.appending(path: file).path
    let blocks = try! Sample.text(file).matches(of: #/(?ms)^```(\w+)\n(.*?)^```$/#)
    commands = blocks.filter { $0.1 == "sh" }.map { String($0.2) }
    output = blocks.filter { $0.1 == "text" }.map { String($0.2) }
  }
}
