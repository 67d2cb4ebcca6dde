import LifecycleFlightRecording
import LifecycleTesting
import LifecycleTimelines
import TestSupport

extension FuzzTarget {
  /// A file of recordings, and all that is made of it.
  static let recording = FuzzTarget("recording") { bytes in
    if let fault = FlightFile.readingFault(in: bytes) { return fault }
    guard let file = try? FlightFile(parsing: bytes) else { return nil }
    _ = file.findings().map(\.description)
    for recording in file.recordings { _ = recording.transcript.description }
    let timeline = LifecycleTimeline(file.recordings, title: "fuzz")
    if let fault = markupFault(of: timeline) { return fault }
    let text = timeline.text(columns: 80, usesColor: false)
    return text.utf8.contains(0x1B) ? "an escape sequence of the recording" : nil
  }

  /// What a browser would read in another way than it is meant.
  private static func markupFault(of timeline: LifecycleTimeline) -> String? {
    // The page's data and its own script.
    for (document, scripts) in [(timeline.svg(width: 640), 0), (timeline.html, 2)] {
      do {
        let markup = try Markup(document)
        let elements = markup.count(of: "script")
        let tags = document.ranges(of: "<script").count
        guard elements == scripts, tags == scripts else {
          return "\(elements) scripts and \(tags) tags of scripts instead of \(scripts)"
        }
        let isHandled = markup.attributes.contains { $0.keys.contains { $0.hasPrefix("on") } }
        guard !isHandled else { return "a handler of events" }
      } catch {
        return "not well-formed: \(error)"
      }
    }
    return nil
  }
}
