import LifecycleCountdowns
import ReactiveLifecycle

/// What a transcript has a short text for: without absolute times, with rounded durations.
protocol WrittenInTranscripts: Hashable {
  func text(in style: LifecycleTranscript.Style) -> String
}

extension Duration: WrittenInTranscripts {
  func text(in style: LifecycleTranscript.Style) -> String { style.rounded(self).text }
}

extension BackgroundStay: WrittenInTranscripts {
  /// `away 90 s, asleep 60 s, clock set by -3600 s`, without the last two if they are nothing.
  func text(in style: LifecycleTranscript.Style) -> String {
    var parts = ["away \(duration.text(in: style))"]
    if style.rounded(timeAsleep) != .zero { parts.append("asleep \(timeAsleep.text(in: style))") }
    if style.rounded(wallClockShift) != .zero {
      parts.append("clock set by \(wallClockShift.text(in: style))")
    }
    return parts.joined(separator: ", ")
  }
}

extension LifecycleEvent: WrittenInTranscripts {
  /// `#7 willEnterForeground (synthesized, away 90 s) [scene: "1"]`, with what there is of it.
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
  /// `didBecomeActive suppressed: duplicate (manual)`.
  func text(in style: LifecycleTranscript.Style) -> String {
    let text = "\(kind) suppressed: \(reason.rawValue)"
    return origin.textInTranscript.map { "\(text) (\($0))" } ?? text
  }
}

extension LifecycleEvent.Origin {
  /// Nil for the script itself.
  fileprivate var textInTranscript: String? {
    switch self {
    case .source(.script): nil
    case .source(let name): "from \(name)"
    case .synthesized, .manual, .catchUp, .replay: description
    }
  }
}

extension Countdown.State: WrittenInTranscripts {
  /// `running, 40 s, unverified`. What remains is rounded up, as a screen has it: by a real clock a little
  /// less than 40 s remains of 40 s.
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

extension Countdown.Record.Deadline: WrittenInTranscripts {
  func text(in style: LifecycleTranscript.Style) -> String { "Countdown.Record.Deadline(…)" }
}
