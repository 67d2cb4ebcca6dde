import LifecycleCore
import LifecycleFlightRecording
import LifecycleTimelines
import TestSupport

@testable import LifecycleTesting

extension FuzzTarget {
  /// A file of recordings, and all that is made of it.
  static let recording = FuzzTarget("recording") { bytes in
    if let fault = FlightFile.readingFault(in: bytes) { return fault }
    guard let file = try? FlightFile(parsing: bytes) else { return nil }
    _ = file.findings().map(\.description)
    for recording in file.recordings { _ = recording.transcript.description }
    let timeline = LifecycleTimeline(file.recordings, title: "fuzz")
    if let fault = markupFault(of: timeline) { return fault }
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

extension FuzzTarget {
  /// Two texts that a zero separates: the expected transcript and the actual one.
  static let transcript = FuzzTarget("transcript") { bytes in
    let texts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
      .map { SnapshotText(String(decoding: $0, as: UTF8.self)) }
    guard texts.count == 2 else { return nil }
    guard SnapshotText(texts[0].text) == texts[0] else { return "the text is another one" }
    let failure = texts[1].failure(expected: texts[0])
    guard (failure == nil) == (texts[0] == texts[1]) else { return "failure: \(failure ?? "none")" }
    guard failure != nil, !texts[0].isEmpty else { return nil }
    let difference = texts[1].difference(from: texts[0])
    // The lines that differ are there. By bytes: they may begin with a combining character.
    let isShown = ["\u{2212} ", "+ "].contains { difference.utf8.firstRange(of: $0.utf8) != nil }
    return texts[0].lines.isEmpty || isShown ? nil : "no difference is shown: \(difference)"
  }
}
