import Foundation
import LifecycleFlightRecording
import LifecycleTimelines

/// The pages that are opened in a browser.
enum PageFiles {
  static let all: [(name: String, recordings: [FlightRecording])] = [
    ("short", [Story.short.recording]),
    ("rental", [Story.rental.recording]),
    ("runs", Story.runs),
    ("hostile", [Story.hostile.recording]),
    ("week", [Story.week(records: 3_000).recording]),
    ("empty", []),
  ]

  static func write(to folder: URL) throws {
    for (name, recordings) in all {
      let timeline = LifecycleTimeline(recordings)
      let page = folder.appending(path: "\(name).html")
      try timeline.html.write(to: page, atomically: true, encoding: .utf8)
      let picture = folder.appending(path: "\(name).svg")
      try timeline.svg.write(to: picture, atomically: true, encoding: .utf8)
    }
  }
}
