import CustomDump
import ReactiveLifecycle

extension LifecycleTranscript.Style {
  /// The style of the transcript that is being written, for values that custom-dump finds inside
  /// others; nil outside transcripts.
  @TaskLocal static var current: LifecycleTranscript.Style?

  /// Returns the next whole multiple of the precision toward zero, exact to the attosecond.
  func rounded(_ duration: Duration) -> Duration {
    guard let precision, precision > .zero else { return duration }
    let attoseconds = duration.attoseconds
    return Duration(attoseconds: attoseconds - attoseconds % precision.attoseconds)
  }

  /// Returns the next whole multiple of the precision away from zero.
  func roundedUp(_ duration: Duration) -> Duration {
    let down = rounded(duration)
    guard down != duration, let precision else { return duration }
    return duration > .zero ? down + precision : down - precision
  }

  /// Returns the text of a value in a transcript: compact for lifecycle types and strings, and in
  /// the format of custom-dump for all others, with compact lifecycle types inside.
  func text(of value: Any) -> String {
    switch value {
    case let value as any WrittenInTranscripts: return value.text(in: self)
    case let value as LifecyclePhase: return value.rawValue
    case let value as any StringProtocol: return Self.line(String(value))
    default:
      let dump = Self.$current.withValue(self) { DurationWriter(self).text(of: value) }
      return Self.withoutAddresses(dump)
    }
  }

  /// Returns a text unchanged, or quoted where it could be misread.
  private static func line(_ text: String) -> String {
    let isUnclear =
      text.isEmpty || text == "nil"
      || text.split(separator: "\n", omittingEmptySubsequences: false).contains {
        $0.first?.isWhitespace ?? true || $0.last?.isWhitespace ?? true
      }
      || text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }
    return isUnclear ? text.debugDescription : text
  }

  /// Replaces the addresses of objects and pointers, which differ from run to run. Text in quotes
  /// is unchanged.
  private static func withoutAddresses(_ dump: String) -> String {
    guard dump.utf8.contains(UInt8(ascii: "0")), dump.contains("0x") else { return dump }
    let textOrAddress =
      /(#*)"""\n[\s\S]*?\n *"""\1|(#+)"[^\n]*?"\2|"[^"\n]*"|0x[0-9a-fA-F]{8,}/
    return dump.replacing(textOrAddress) { $0.0.hasPrefix("0x") ? "0x…" : $0.0 }
  }
}
