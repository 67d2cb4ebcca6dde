public import CustomDump
public import LifecycleCountdowns
public import ReactiveLifecycle

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

extension Countdown.Record.Deadline: WrittenInTranscripts {
  func text(in style: LifecycleTranscript.Style) -> String { "Countdown.Record.Deadline(…)" }
}

// Inside other values, custom-dump decides the format. These types are compact while a transcript
// is written; otherwise they are dumped, and compared, in full.

extension WrittenInTranscripts {
  fileprivate var dumpValue: Any {
    guard let style = LifecycleTranscript.Style.current else { return WholeValue(value: self) }
    return PlainText(description: text(in: style))
  }
}

extension LifecycleEvent: CustomDumpRepresentable {
  /// The event in short while a ``LifecycleTranscript`` is written; otherwise in full.
  public var customDumpValue: Any { dumpValue }
}

extension SuppressedInput: CustomDumpRepresentable {
  /// The input in short while a ``LifecycleTranscript`` is written; otherwise in full.
  public var customDumpValue: Any { dumpValue }
}

extension BackgroundStay: CustomDumpRepresentable {
  /// The stay in short while a ``LifecycleTranscript`` is written; otherwise in full.
  public var customDumpValue: Any { dumpValue }
}

extension ContinuousInstant: CustomDumpRepresentable {
  /// No reading while a ``LifecycleTranscript`` is written; otherwise the seconds since boot.
  public var customDumpValue: Any {
    PlainText(description: LifecycleTranscript.Style.current.map(text) ?? description)
  }
}

extension LifecycleInstant: CustomDumpRepresentable {
  /// No readings while a ``LifecycleTranscript`` is written; otherwise all three.
  public var customDumpValue: Any { dumpValue }
}

extension Countdown.State: CustomDumpRepresentable {
  /// The state in short while a ``LifecycleTranscript`` is written; otherwise in full.
  public var customDumpValue: Any { dumpValue }
}

extension Countdown.Record.Deadline: CustomDumpRepresentable {
  /// No readings while a ``LifecycleTranscript`` is written; otherwise all of them.
  public var customDumpValue: Any { dumpValue }
}

/// A value in the default format of custom-dump.
private struct WholeValue<Value: Hashable>: Equatable, CustomDumpReflectable {
  let value: Value

  var customDumpMirror: Mirror { Mirror(reflecting: value) }
}

/// A writer of values whose durations appear as in a transcript: `1.5 s`, rounded. On its own,
/// custom-dump writes the storage of a duration, and another text on Apple platforms.
///
/// A conformance of `Duration` to a protocol of custom-dump would have the same effect, but this
/// library must not declare it: it would conflict with a client's own conformance.
final class DurationWriter {
  private let style: LifecycleTranscript.Style
  /// The written values by object, one for each, as custom-dump distinguishes objects by their
  /// identities.
  private var objects: [ObjectIdentifier: WrittenValue] = [:]

  init(_ style: LifecycleTranscript.Style) {
    self.style = style
  }

  /// Returns the value in the format of custom-dump, except for its durations.
  func text(of value: Any) -> String {
    let written = dumpValue(of: value)
    // Inside an optional, an enumeration is written without the name of its type.
    return (written as? PlainText)?.description ?? String(customDumping: Optional(written))
  }

  private func dumpValue(of value: Any) -> Any {
    switch value {
    case let duration as Duration: return PlainText(description: duration.text(in: style))
    case let seconds as Seconds: return PlainText(description: seconds.duration.text(in: style))
    case is any CustomDumpStringConvertible, is any _CustomDiffObject, is Any.Type: return value
    case let value as any CustomDumpRepresentable: return dumpValue(of: value.customDumpValue)
    default: break
    }
    let original =
      (value as? any CustomDumpReflectable)?.customDumpMirror ?? Mirror(reflecting: value)
    // The mirror of another type can't be recreated, and need not be if the type's name is not
    // written.
    guard
      original.subjectType == type(of: value) || original.displayStyle == .collection,
      original.displayStyle != nil, !original.allChildren.isEmpty
    else { return value }
    guard original.displayStyle == .class else { return written(value, original) }
    let identity = ObjectIdentifier(value as AnyObject)
    if let known = objects[identity] { return known }
    let object = written(value, original)
    objects[identity] = object
    return object
  }

  private func written(_ value: Any, _ original: Mirror) -> WrittenValue {
    value is any CustomDumpReflectable
      ? WrittenDump(value, original, self) : WrittenValue(value, original, self)
  }

  fileprivate func mirror<Subject>(
    of value: Any,
    as type: Subject.Type,
    _ original: Mirror
  ) -> Mirror {
    let children = original.allChildren.map { child in
      (label: child.label, value: dumpValue(of: child, original))
    }
    let style = original.displayStyle
    guard let subject = value as? Subject else {
      return Mirror(value, children: children, displayStyle: style)
    }
    return Mirror(
      subject,
      children: children,
      displayStyle: style,
      ancestorRepresentation: .suppressed
    )
  }

  private func dumpValue(of child: Mirror.Child, _ mirror: Mirror) -> Any {
    guard
      mirror.displayStyle == .dictionary,
      let (key, value) = child.value as? (key: AnyHashable, value: Any)
    else { return dumpValue(of: child.value) }
    let newKey = dumpValue(of: key.base) as? AnyHashable ?? key
    return (key: newKey, value: dumpValue(of: value))
  }
}

/// A value that custom-dump sees through a mirror with other children.
private class WrittenValue: CustomReflectable, Hashable {
  private let value: Any
  private let original: Mirror
  private let writer: DurationWriter

  init(_ value: Any, _ original: Mirror, _ writer: DurationWriter) {
    self.value = value
    self.original = original
    self.writer = writer
  }

  var customMirror: Mirror { writer.mirror(of: value, as: original.subjectType, original) }

  // For use as a dictionary's key.

  static func == (one: WrittenValue, other: WrittenValue) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A value with a mirror only for custom-dump, which then omits none of its children.
private final class WrittenDump: WrittenValue, CustomDumpReflectable {
  var customDumpMirror: Mirror { customMirror }
}

extension Mirror {
  /// The children of the superclasses, from the most distant one on, and then those of the class
  /// itself.
  fileprivate var allChildren: [Child] { (superclassMirror?.allChildren ?? []) + children }
}

/// A text that is dumped without quotes.
struct PlainText: Hashable, CustomStringConvertible, CustomDumpReflectable {
  let description: String

  var customDumpMirror: Mirror { Mirror(self, children: []) }
}
