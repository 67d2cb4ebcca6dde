import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Monitor: explain many files", .serialized, .startsProcesses)
struct MonitorFolderTests {
  @Test("A folder has a line for each file with findings and a sum, as the README shows")
  func folder() async throws {
    try await withMonitorSession { monitor in
      try makeFolder(monitor)
      let result = try monitor.run(["explain", monitor.path("recordings")])
      expectNoDifference(result.status, .exited(0))
      let recorded = try ExampleReadme.recording(of: "lifecycle-monitor").outputs
      let start = try #require(recorded.firstIndex { $0.hasPrefix("recordings/") })
      expectNoDifference(
        result.lines.map { $0.replacing(monitor.directory.path + "/", with: "") },
        recorded[start...].prefix(result.lines.count).map(\.self)
      )
    }
  }

  @Test("A file that can't be read is named with the reason, and the others are read")
  func unreadableFiles() async throws {
    try await withMonitorSession { monitor in
      try makeFolder(monitor)
      let folder = monitor.path("recordings")
      let fine = "\(folder)/ada.jsonl"
      monitor.directory.write([], to: "recordings/cy.jsonl")
      // Not even root can read it.
      symlink("/proc/self/mem", "\(folder)/bea.jsonl")
      symlink("/no/such/file", "\(folder)/dangling.jsonl")
      symlink(folder, "\(folder)/loop")
      mkfifo("\(folder)/pipe.jsonl", 0o600)
      monitor.directory.write("hidden".utf8, to: "recordings/.x.jsonl")
      monitor.directory.write("another file".utf8, to: "recordings/notes.txt")
      let result = try monitor.run(["explain", fine, "/no/such/file", folder, "/no/such/folder/"])
      expectNoDifference(result.status, .exited(66))
      let messages = result.lines.filter { $0.hasPrefix("lifecycle-monitor: ") }
      for (message, reason) in zip(
        messages,
        [
          "dangling.jsonl can't", "pipe.jsonl can't", "/no/such/file", "bea.jsonl can't",
          "/no/such/folder/",
        ]
      ) {
        #expect(message.contains(reason), "\(message)")
      }
      expectNoDifference(messages.count, 5)
      let others = result.lines.filter { !$0.hasPrefix("lifecycle-monitor: ") }
      expectNoDifference(
        others.map { $0.hasPrefix(folder) },
        [true, true, false, false, false, false]
      )
      expectNoDifference(
        others[2],
        "10 files (1 damaged, 1 empty, 5 unreadable): 3 runs, 4 records"
      )
    }
  }

  /// What is in a folder, by a command of sh in it, and what the message says.
  private static let unseenPaths: [(setUp: String, named: String)] = [
    (#"touch "$(printf '\377').jsonl""#, "\u{FFFD}.jsonl can't be read: its name is not UTF-8"),
    (#"mkdir "$(printf '\377')""#, "\u{FFFD} can't be read: its name is not UTF-8"),
    ("ln -s loop.jsonl loop.jsonl", "loop.jsonl can't be read: Too many levels of symbolic links"),
    (
      """
      name=$(printf '%0250d' 0); for n in $(seq 20); do mkdir $name; cd $name; done
      """, "can't be read: File name too long"
    ),
  ]

  @Test("An entry of a folder that can't be read is named and counted", arguments: unseenPaths)
  func unseen(setUp: String, named: String) async throws {
    try await withMonitorSession { monitor in
      try makeFolder(monitor)
      let folder = monitor.path("recordings")
      _ = try runProgram("/bin/sh", ["-c", "cd '\(folder)'; \(setUp)"])
      // Foundation doesn't remove such a folder.
      defer { _ = try? runProgram("/bin/rm", ["-rf", folder]) }
      let result = try monitor.run(["explain", folder])
      expectNoDifference(result.status, .exited(66))
      let messages = result.lines.filter { $0.hasPrefix("lifecycle-monitor: ") }
      #expect(messages.count == 1 && messages[0].contains(named), "\(messages)")
      #expect(result.lines.contains("5 files (1 damaged, 1 unreadable): 3 runs, 4 records"))
    }
  }

  @Test("JSON has the file of each finding, the sum of each kind, and the sum of all")
  func json() async throws {
    try await withMonitorSession { monitor in
      try makeFolder(monitor)
      let folder = monitor.path("recordings")
      let result = try monitor.run(["explain", folder, "--format", "json"])
      expectNoDifference(
        result.lines.map { $0.replacing(folder, with: "") }.suffix(5),
        [
          #"""
          {"type":"finding","file":"/may/eve.jsonl","kind":"noTermination","run":1,\#
          "seconds":3.0,"count":1,"text":"The run has no end: the process was killed, or still ran \#
          when the recording was written."}
          """#,
          #"{"type":"total","kind":"memoryWarning","count":2,"recordings":1}"#,
          #"{"type":"total","kind":"damagedLine","count":1,"recordings":1}"#,
          #"{"type":"total","kind":"noTermination","count":1,"recordings":1}"#,
          #"{"type":"sum","files":4,"damaged":1,"empty":0,"unreadable":0,"runs":3,"records":4}"#,
        ]
      )
    }
  }

  @Test("An empty folder, and one without a recording, is an error")
  func emptyFolder() async throws {
    try await withMonitorSession { monitor in
      let result = try monitor.run(["explain", monitor.directory.path])
      expectNoDifference(result.status, .exited(66))
      expectNoDifference(result.lines.first?.contains("no file in it is named *.jsonl"), true)
    }
  }

  @Test("Memory grows neither with the number of files nor with the size of one")
  func memory() async throws {
    try await withMonitorSession { monitor in
      // 100 kB each.
      let note = FlightRecord(.note(String(repeating: "a", count: 100_000)), at: instant(1))
      for name in ["few", "many"] { try makeDirectory(monitor.path(name)) }
      for number in 1...500 {
        let bytes = life([note, end(2)]).jsonLines
        monitor.directory.write(bytes, to: "many/\(number).jsonl")
        if number <= 50 { monitor.directory.write(bytes, to: "few/\(number).jsonl") }
      }
      monitor.directory.write(
        life(Array(repeating: note, count: 500) + [end(2)]).jsonLines,
        to: "large"
      )
      let peaks = try ["few", "many", "large"].map { try peakKilobytes(monitor, $0) }
      #expect(peaks[1] - peaks[0] < 10_000 && peaks[2] - peaks[0] < 10_000, "\(peaks) kB")
    }
  }

  @Test("Progress is shown at standard error on a terminal, not in a pipe")
  func progress() async throws {
    try await withMonitorSession { monitor in
      try life([end(1)]).write(to: monitor.path("life"))
      let waiting = try ["piped", "shown"].map { name in
        let path = monitor.path(name)
        expectNoDifference(mkfifo(path, 0o600), 0)
        let job = try monitor.launch(["explain", monitor.path("life"), path]) { request in
          if name == "piped" {
            (request.standardError, request.placement) = (.lines, .background)
          }
        }
        return (job, try FileHandle(forUpdating: URL(filePath: path)))
      }
      // The first one has run for longer.
      try monitor.session.waitForTerminal("the progress") { text in
        text.contains("Reading 2 of 2: \(monitor.path("shown"))".prefix(40))
      }
      for (job, pipe) in waiting {
        try pipe.write(contentsOf: Data(life([end(1)]).jsonLines))
        try pipe.close()
        #expect(try job.waitUntilEnd() == .exited(0))
        expectNoDifference(
          try job.waitUntilOutputEnds(),
          ["2 files: 2 runs, 2 records", "Nothing unusual."]
        )
      }
    }
  }

  /// A fine recording, one that was rotated and has findings, and a damaged one.
  private func makeFolder(_ monitor: MonitorSession) throws {
    try makeDirectory(monitor.path("recordings/may"))
    try life([end(1)]).write(to: monitor.path("recordings/ada.jsonl"))
    let damaged = life([end(1)]).jsonLines + Array(#"{"record":"note","#.utf8)
    monitor.directory.write(damaged, to: "recordings/dan.jsonl")
    try life([.memoryWarning(at: instant(2))]).write(to: monitor.path("recordings/may/eve.jsonl.1"))
    var later = life([.memoryWarning(at: instant(3))])
    later.start.dropped = 1
    try later.write(to: monitor.path("recordings/may/eve.jsonl"))
  }

  private func makeDirectory(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// The peak memory of the program when it has read all files but the last one, a pipe.
  private func peakKilobytes(_ monitor: MonitorSession, _ name: String) throws -> Int {
    let pipe = monitor.path("pipe of \(name)")
    expectNoDifference(mkfifo(pipe, 0o600), 0)
    let job = try monitor.launch(["explain", monitor.path(name), pipe])
    // Waits until the program opens it.
    let writer = try FileHandle(forWritingTo: URL(filePath: pipe))
    let status = try String(contentsOfFile: "/proc/\(job.processID)/status", encoding: .utf8)
    try writer.write(contentsOf: Data(life([end(1)]).jsonLines))
    try writer.close()
    #expect(try job.waitUntilEnd() == .exited(0))
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  private func life(_ records: [FlightRecord]) -> FlightRecording {
    FlightRecording(
      process: .init(name: "feed", id: 7),
      start: .init(at: instant(0), phase: .active),
      records: records
    )
  }

  private func end(_ seconds: Double) -> FlightRecord { FlightRecord(.ended, at: instant(seconds)) }

  private func instant(_ seconds: Double) -> LifecycleInstant {
    LifecycleInstant(everyClock: .seconds(seconds))
  }
}
