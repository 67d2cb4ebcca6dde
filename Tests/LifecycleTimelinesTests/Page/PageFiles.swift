import Foundation
import LifecycleFlightRecording
import LifecycleTimelines

/// The pages that are opened in a browser.
enum PageFiles {
  /// Those of a test.
  static let some: [(name: String, recordings: [FlightRecording])] = [
    ("everything", [Story.rental, .hostile, .countdowns(200)].map(\.recording)),
    ("week", [Story.week(records: 2_000).recording]),
  ]

  /// Those to look at.
  static var all: [(name: String, recordings: [FlightRecording])] {
    some + [
      ("rental", [Story.rental.recording]),
      ("hostile", [Story.hostile.recording]),
      ("short", [Story.short.recording]),
      ("runs", Story.runs),
      ("empty", []),
      ("open", [Story.countdowns(50_000).recording]),
      ("many", [Story.week(records: 100_000).recording]),
    ]
  }

  static func write(
    _ pages: [(name: String, recordings: [FlightRecording])],
    to folder: URL
  ) throws {
    for (name, recordings) in pages {
      let timeline = LifecycleTimeline(recordings)
      let page = folder.appending(path: "\(name).html")
      try timeline.html.write(to: page, atomically: true, encoding: .utf8)
      let picture = folder.appending(path: "\(name).svg")
      try timeline.svg.write(to: picture, atomically: true, encoding: .utf8)
    }
  }
}
