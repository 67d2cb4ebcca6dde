public import LifecycleFlightRecording

/// A drawing of what happened to a process: lanes of spans and marks over time.
///
/// ```swift
/// let timeline = LifecycleTimeline([recorder.recording], title: "rental")
/// print(timeline.text(columns: 80, usesColor: false))
/// ```
///
/// A timeline is a value: it reads no clock, no environment and no file. The same recordings make
/// the same drawing.
public struct LifecycleTimeline: Sendable, Hashable {
  /// The title of the drawing.
  public var title: String
  /// The runs of the process, in order.
  public let runs: [Run]
  /// The lanes that are not empty, from top to bottom.
  public let lanes: [Lane]
  /// The time from the first run's start to the last record.
  public let duration: Duration

  let records: [Entry]
  let wallClock: WallClock

  /// Creates the timeline of the runs of a process, one after the other.
  ///
  /// Runs of the same boot have the distance that the continuous clock shows, others that of the
  /// wall clock. A run whose clocks contradict that begins where the one before it ends. A recording
  /// of the same process and boot whose earlier records were dropped continues the run before.
  ///
  /// - Parameters:
  ///   - recordings: The runs, in order.
  ///   - title: The title; by default the names of the programs.
  /// - Complexity: O(*n* log *n*) in the number of records.
  public init(_ recordings: [FlightRecording], title: String? = nil) {
    var builder = TimelineBuilder()
    for recording in recordings { builder.add(recording) }
    builder.finish()
    self.title = title ?? Self.title(of: recordings)
    runs = builder.runs
    lanes = builder.finishedLanes()
    duration = .seconds(builder.end)
    records = builder.records
    wallClock = builder.wallClock
  }

  private static func title(of recordings: [FlightRecording]) -> String {
    var names: [String] = []
    for recording in recordings where !names.contains(recording.process.shortName) {
      if names.count == 3 { return names.joined(separator: ", ") + ", …" }
      names.append(recording.process.shortName)
    }
    return names.isEmpty ? "Timeline" : names.joined(separator: ", ")
  }
}

extension FlightRecording.Process {
  /// The name of the program without its folder.
  var shortName: String {
    let last = Self.lastComponent(of: name)
    return last.isEmpty ? "process \(id)" : last
  }
}
