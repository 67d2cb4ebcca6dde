public import CustomDump
public import LifecycleCountdowns
public import ReactiveLifecycle

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

extension Countdown.SavedState.Deadline: CustomDumpRepresentable {
  /// No readings while a ``LifecycleTranscript`` is written; otherwise all of them.
  public var customDumpValue: Any { dumpValue }
}

/// A value in the default format of custom-dump.
private struct WholeValue<Value: Hashable>: Equatable, CustomDumpReflectable {
  let value: Value

  var customDumpMirror: Mirror { Mirror(reflecting: value) }
}
