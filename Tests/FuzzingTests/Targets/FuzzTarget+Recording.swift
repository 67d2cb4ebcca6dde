import LifecycleFlightRecording
import LifecycleTesting
import LifecycleTimelines
import ReactiveLifecycle
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
    guard !text.utf8.contains(0x1B) else { return "an escape sequence of the recording" }
    // What can't be replayed is reported.
    waitForMainActor {
      _ = reportedIssues { ScriptedLifecycle(replaying: file.recordings).replay() }
    }
    return file.recordings.lazy.compactMap(replayFault).first
  }

  /// A difference between a recording and its replay that is not reported.
  private static func replayFault(of recording: FlightRecording) -> String? {
    let (transcript, issues) = waitForMainActor {
      let lifecycle = ScriptedLifecycle(replaying: [recording])
      let issues = reportedIssues { lifecycle.replay() }
      return (lifecycle.transcript, issues)
    }
    // A recording may be cut off before the effects of its last input.
    let expected = recording.withoutEffectsOfDropped.transcript
    guard issues.isEmpty, !transcript.lines.starts(with: expected.lines) else {
      return nil
    }
    return "the replay is \(transcript) instead of \(expected)"
  }

  /// What a browser would read in another way than it is meant.
  private static func markupFault(of timeline: LifecycleTimeline) -> String? {
    // The page's data and its own script.
    for (document, scripts) in [(timeline.svg, 0), (timeline.html, 2)] {
      do {
        let markup = try Markup(document)
        let elements = markup.count(of: "script")
        let tags = document.utf8.split(separator: UInt8(ascii: "<"))
          .count { $0.starts(with: "script".utf8) }
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
