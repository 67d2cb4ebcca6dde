import CustomDump
import Foundation
import JobControl
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

/// A terminal with a shell, and a directory of its own, for jobs that are `lifecycle-monitor`.
struct MonitorSession {
  let session: JobControlSession
  let directory = TemporaryDirectory()

  func path(_ name: String) -> String { directory.path(name) }

  /// Launches the program, as typed into a shell, without memory pressure, which other processes
  /// may cause at any time.
  func launch(
    _ arguments: [String],
    _ change: (inout JobRequest) -> Void = { _ in }
  ) throws -> Job {
    let program = try builtProgramPath("lifecycle-monitor")
    let request = with(JobRequest([program] + arguments), change)
    return try session.launch(
      with(request) {
        $0.environment.merge(["MEMORY_PRESSURE_WATCH": "/dev/null"]) { chosen, _ in chosen }
      }
    )
  }

  /// Runs the program to its end; returns its status and what it wrote.
  func run(
    _ arguments: [String],
    _ change: (inout JobRequest) -> Void = { _ in }
  ) throws -> (status: JobStatus, lines: [String]) {
    let job = try launch(arguments) { request in
      request.standardError = .lines
      change(&request)
    }
    let status = try job.waitUntilEnd()
    return (status, try job.waitUntilOutputEnds())
  }

  /// Waits until the file `life` has a story that is expected.
  func waitForStory(_ isExpected: ([String]) -> Bool) throws {
    var story: [String] = []
    try session.wait(for: "another story than \(story)") {
      story = (try? FlightFile(contentsOf: path("life")).recordings.first?.story) ?? []
      return isExpected(story)
    }
  }

  /// The recordings in a file of the directory.
  func recordings(_ name: String) throws -> [FlightRecording] {
    let file = try FlightFile(contentsOf: path(name))
    expectNoDifference(file.damage, [])
    return file.recordings
  }
}

func withMonitorSession(
  _ body: @Sendable (MonitorSession) throws -> Void
) async throws {
  try await withJobControlSession(executable: builtProgramPath("lifecycle-probe")) { session in
    try body(MonitorSession(session: session))
  }
}

extension FlightRecording {
  /// The kinds of the events, and the notes, in their order.
  var story: [String] {
    records.compactMap { record in
      switch record.content {
      case .event(let event): event.kind.rawValue
      case .note(let text): text.hasPrefix("started ") ? nil : text
      default: nil
      }
    }
  }
}

extension FlightRecord {
  /// A memory warning to an active process.
  static func memoryWarning(at instant: LifecycleInstant) -> FlightRecord {
    let event = LifecycleEvent(
      kind: .didReceiveMemoryWarning,
      previousPhase: .active,
      phase: .active,
      sequenceNumber: 1,
      instant: instant,
      origin: .manual
    )
    return FlightRecord(.event(event), at: instant)
  }
}
