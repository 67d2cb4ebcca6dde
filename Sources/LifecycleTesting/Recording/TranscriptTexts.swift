import LifecycleCountdowns
import ReactiveLifecycle

/// A type with a short text for transcripts, without absolute times and with rounded durations.
protocol WrittenInTranscripts: Hashable {
  func text(in style: LifecycleTranscript.Style) -> String
}

extension Duration: WrittenInTranscripts {
  func text(in style: LifecycleTranscript.Style) -> String { style.rounded(self).text }
}

extension BackgroundStay: WrittenInTranscripts {
  func text(in style: LifecycleTranscript.Style) -> String { text(rounding: style.rounded) }
}

extension LifecycleEvent: WrittenInTranscripts {
  /// Returns `#7 willEnterForeground (synthesized, away 90 s) [scene: "1"]`, with the parts that
  /// the event has.
  func text(in style: LifecycleTranscript.Style) -> String {
    let details = [origin.textInTranscript, backgroundStay?.text(in: style)].compactMap(\.self)
    var text = style.showsSequenceNumbers ? "#\(sequenceNumber) \(kind)" : "\(kind)"
    if !details.isEmpty { text += " (\(details.joined(separator: ", ")))" }
    if !metadata.isEmpty {
      let pairs = metadata.sorted { $0.key < $1.key }
        .map { "\($0.key): \($0.value.debugDescription)" }
      text += " [\(pairs.joined(separator: ", "))]"
    }
    return text
  }
}

extension SuppressedInput: WrittenInTranscripts {
  /// Returns `didBecomeActive suppressed: duplicate (manual)`.
  func text(in style: LifecycleTranscript.Style) -> String {
    let text = "\(kind) suppressed: \(reason.rawValue)"
    return origin.textInTranscript.map { "\(text) (\($0))" } ?? text
  }
}

extension LifecycleEvent.Origin {
  /// The text of the origin; nil for the script itself.
  fileprivate var textInTranscript: String? {
    switch self {
    case .source(.script): nil
    case .source(let name): "from \(name)"
    case .synthesized, .manual, .catchUp: description
    }
  }
}

extension Countdown.State: WrittenInTranscripts {
  /// Returns `running, 40 s, unverified`. The remaining time is rounded up, as on a screen: by a
  /// real clock, slightly less than 40 s of 40 s remains.
  func text(in style: LifecycleTranscript.Style) -> String {
    var parts = [status.rawValue]
    if remaining != .zero { parts.append(style.roundedUp(remaining).text) }
    if !isClockTrusted { parts.append("unverified") }
    return parts.joined(separator: ", ")
  }
}

// Instants differ from run to run.

extension ContinuousInstant: WrittenInTranscripts {
  func text(in style: LifecycleTranscript.Style) -> String { "ContinuousInstant(…)" }
}

extension LifecycleInstant: WrittenInTranscripts {
  func text(in style: LifecycleTranscript.Style) -> String { "LifecycleInstant(…)" }
}

extension Countdown.SavedState.Deadline: WrittenInTranscripts {
  func text(in style: LifecycleTranscript.Style) -> String { "Countdown.SavedState.Deadline(…)" }
}
