import CustomDump
import LifecycleCore
import LifecycleCountdowns

/// Returns the text of a value in a transcript: compact for lifecycle types and strings, and in the
/// format of custom-dump for all others, with compact lifecycle types inside.
func transcriptText(of value: Any) -> String {
  switch value {
  case let value as any StringProtocol: textLine(String(value))
  case let value as LifecyclePhase: value.rawValue
  default: compactText(of: value) ?? withoutAddresses(TranscriptDump().text(of: value))
  }
}

/// Returns a text unchanged, or quoted where it could be misread.
private func textLine(_ text: String) -> String {
  let isUnclear =
    text.isEmpty || text == "nil"
    || text.split(separator: "\n", omittingEmptySubsequences: false).contains {
      $0.first?.isWhitespace ?? true || $0.last?.isWhitespace ?? true
    }
    || text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control }
  return isUnclear ? text.debugDescription : text
}

/// Replaces the addresses of objects and pointers, which differ from run to run. Text in quotes is
/// unchanged.
private func withoutAddresses(_ dump: String) -> String {
  guard dump.utf8.contains(UInt8(ascii: "0")), dump.contains("0x") else { return dump }
  let textOrAddress =
    /(#*)"""\n[\s\S]*?\n *"""\1|(#+)"[^\n]*?"\2|"[^"\n]*"|0x[0-9a-fA-F]{8,}/
  return dump.replacing(textOrAddress) { $0.0.hasPrefix("0x") ? "0x…" : $0.0 }
}

// MARK: Lifecycle types

/// Returns the short text of a value of the library, without absolute times; nil for other values.
///
/// On its own, custom-dump writes the storage of a duration, and another text on Apple platforms.
private func compactText(of value: Any) -> String? {
  switch value {
  case let duration as Duration: duration.text
  case let seconds as Seconds: seconds.description
  case let stay as BackgroundStay: text(of: stay)
  case let opening as LifecycleOpening: text(of: opening)
  case let event as LifecycleEvent: text(of: event)
  case let input as SuppressedInput: text(of: input)
  case let state as Countdown.State: state.description
  // Instants differ from run to run.
  case is ContinuousInstant: "ContinuousInstant(…)"
  case is LifecycleInstant: "LifecycleInstant(…)"
  case is Countdown.SavedState.Deadline: "Countdown.SavedState.Deadline(…)"
  default: nil
  }
}

private func text(of stay: BackgroundStay) -> String { stay.text(rounding: { $0 }) }

/// Returns `first opening after 32400 s`, or `opening, away 90 s`.
private func text(of opening: LifecycleOpening) -> String {
  opening.stay.map { "opening, \(text(of: $0))" }
    ?? "first opening after \(opening.timeAway.text)"
}

/// Returns `willEnterForeground (synthesized, away 90 s) [scene: "1"]`, with the parts that the
/// event has.
private func text(of event: LifecycleEvent) -> String {
  let details = [text(of: event.origin), event.backgroundStay.map(text)].compactMap(\.self)
  var text = "\(event.kind)"
  if !details.isEmpty { text += " (\(details.joined(separator: ", ")))" }
  if !event.metadata.isEmpty {
    let pairs = event.metadata.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.debugDescription)" }
    text += " [\(pairs.joined(separator: ", "))]"
  }
  return text
}

/// Returns `didBecomeActive suppressed: duplicate (manual)`.
private func text(of input: SuppressedInput) -> String {
  let origin = text(of: input.origin).map { " (\($0))" } ?? ""
  return "\(input.kind) suppressed: \(input.reason.rawValue)\(origin)"
}

/// Returns the text of an origin; nil for the script itself.
private func text(of origin: LifecycleEvent.Origin) -> String? {
  switch origin {
  case .source(.script): nil
  case .source(let name): "from \(name)"
  case .synthesized, .manual, .catchUp: origin.description
  }
}

// MARK: Other types

/// A writer of values in the format of custom-dump, in which lifecycle types are compact.
///
/// Conformances of these types to a protocol of custom-dump would not do: outside transcripts they
/// are dumped, and compared, in full, and one of `Duration` would conflict with a client's own.
private final class TranscriptDump {
  /// The written values by object, one for each, as custom-dump distinguishes objects by their
  /// identities.
  private var objects: [ObjectIdentifier: WrittenValue] = [:]

  func text(of value: Any) -> String {
    let written = dumpValue(of: value)
    // Inside an optional, an enumeration is written without the name of its type.
    return (written as? PlainText)?.description ?? String(customDumping: Optional(written))
  }

  private func dumpValue(of value: Any) -> Any {
    if let text = compactText(of: value) { return PlainText(description: text) }
    switch value {
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

/// A text that is dumped without quotes.
private struct PlainText: Hashable, CustomStringConvertible, CustomDumpReflectable {
  let description: String

  var customDumpMirror: Mirror { Mirror(self, children: []) }
}

/// A value that custom-dump sees through a mirror with other children.
private class WrittenValue: CustomReflectable, Hashable {
  private let value: Any
  private let original: Mirror
  private let writer: TranscriptDump

  init(_ value: Any, _ original: Mirror, _ writer: TranscriptDump) {
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
