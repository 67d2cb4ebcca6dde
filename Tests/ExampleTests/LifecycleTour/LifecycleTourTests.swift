import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Tour", .serialized, .startsProcesses)
struct LifecycleTourTests {
  @Test("Without a terminal, all claims of the tour hold, and no process is left")
  func endsWithoutTerminalAndAllClaimsHold() async throws {
    let tour = try builtProgramPath("lifecycle-tour")
    let directory = TemporaryDirectory()
    let (page, recording) = (directory.path("tour.html"), directory.path("tour.jsonl"))
    try await withJobControlSession(executable: tour) { session in
      let job = try session.launch(
        with(JobRequest([tour, "--html", page, "--recording", recording])) {
          $0.placement = .newSession
          $0.standardInput = .null
          $0.standardError = .lines
        }
      )
      var children: Set<pid_t> = []
      while let line = try job.nextLine() {
        children.formUnion(descendants(of: job.processID))
        #expect(!line.contains("FAILED"))
        #expect(line.allSatisfy { !$0.isASCII || $0 >= " " })
      }
      #expect(try job.waitUntilEnd() == .exited(0), "\(job.lines.joined(separator: "\n"))")
      #expect(children.count >= 2)
      #expect(children.filter(staysAlive).isEmpty)
      let claims = job.lines.count { $0.contains("[ok]") }
      expectNoDifference(job.lines.last?.hasSuffix("All \(claims) claims hold."), true)
      for part in ["1. ", "2. ", "3. ", "4. ", "5. ", "6. ", "7. ", "8. ", "9. "] {
        expectNoDifference(job.lines.count { $0.hasPrefix(part) }, 1)
      }
      try expectRecordedLines(in: job.lines)
      let drawn = try String(contentsOfFile: page, encoding: .utf8)
      let recorded = try FlightFile(contentsOf: recording)
      #expect(recorded.damage.isEmpty)
      for child in ["article", "countdown", "sensor", "code", "receiver"] {
        #expect(drawn.contains("lifecycle-tour \(child)"))
        #expect(recorded.recordings.contains { $0.process.name == "lifecycle-tour \(child)" })
      }
      // What the tour does on purpose: repeated notifications, and two kills.
      expectNoDifference(
        recorded.findings().map(\.content),
        [
          .duplicate(.didEnterBackground, source: "notificationCenter"),
          .duplicate(.willEnterForeground, source: "notificationCenter"),
          .noTermination, .noTermination,
        ]
      )
    }
  }

  @Test(
    "A file or temporary folder that cannot be created ends the tour at once with 73",
    arguments: [["--html", "/no/such/folder/x"], ["--recording", "/no/such/folder/x"], []]
  )
  func fileThatCannotBeCreated(arguments: [String]) async throws {
    let tour = try builtProgramPath("lifecycle-tour")
    try await withJobControlSession(executable: tour) { session in
      let job = try session.launch(
        with(JobRequest([tour] + arguments)) {
          $0.standardError = .lines
          if arguments.isEmpty { $0.environment = ["TMPDIR": "/no/such/folder"] }
        }
      )
      #expect(try job.waitUntilEnd() == .exited(73))
      let lines = try job.waitUntilOutputEnds()
      let path = arguments.last ?? "/no/such/folder/lifecycle-tour"
      #expect(lines.count == 1 && lines[0].contains("cannot create \(path)"))
    }
  }

  @Test("A tour that is killed halfway leaves no process", arguments: [SIGINT, SIGKILL])
  func killedTourLeavesNoProcess(signal: CInt) async throws {
    let tour = try builtProgramPath("lifecycle-tour")
    try await withJobControlSession(executable: tour) { session in
      // A countdown that is left behind does not end by itself while it is waited for.
      let job = try session.launch(
        with(JobRequest([tour, "--countdown", "86400"])) { $0.standardError = .lines }
      )
      try job.nextLine("the first tick") { $0.hasSuffix("s remain") }
      let children = descendants(of: job.processID)
      expectNoDifference(children.count, 2)
      try session.signal(signal, job)
      #expect(try job.waitUntilEnd() == .signaled(signal))
      for child in children { #expect(!staysAlive(child)) }
    }
  }
}

/// Expects the lines that the README of the examples shows of the tour, in their order.
private func expectRecordedLines(in lines: [String]) throws {
  var rest = lines.map(ScreenText.normalized)[...]
  let recorded = try ExampleReadme.recording(of: "lifecycle-tour").outputs.filter { $0 != "…" }
  #expect(!recorded.isEmpty)
  for line in recorded.map(ScreenText.normalized) {
    let index = rest.firstIndex(of: line)
    #expect(index != nil, "Examples/README.md shows a line that the tour does not print: \(line)")
    if let index { rest = rest[(index + 1)...] }
  }
}

/// The children of a process, their children, and so on.
private func descendants(of process: pid_t) -> Set<pid_t> {
  var parents: [pid_t: pid_t] = [:]
  for entry in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
    guard let id = pid_t(entry), let snapshot = ProcessSnapshot(id) else { continue }
    parents[id] = snapshot.parent
  }
  var found: Set<pid_t> = []
  var level: Set = [process]
  while !level.isEmpty {
    level = Set(parents.filter { level.contains($0.value) }.keys)
    found.formUnion(level)
  }
  return found
}
