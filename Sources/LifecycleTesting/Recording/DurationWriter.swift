import CustomDump
import ReactiveLifecycle

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
