/// The condition for recording file snapshots.
///
/// A test that records a snapshot fails: look at the snapshot, and run the test again.
///
/// The condition is that of ``LifecycleSnapshotFile/file(_:record:)`` or, if that is nil, of the
/// environment:
///
/// ```text
/// LIFECYCLE_SNAPSHOTS=missing swift test
/// ```
///
/// For `xcodebuild`, put `TEST_RUNNER_` before the name. Where the environment sets `CI` to
/// anything but `0`, `false` and nothing, no snapshot is recorded: a test that would record fails
/// with a message about that.
public enum SnapshotRecording: String, Sendable, Hashable, CaseIterable {
  /// Records no snapshots. This is the default.
  case never
  /// Records snapshots that do not exist.
  case missing
  /// Records snapshots that do not exist, and those that differ from the transcript.
  case failed
  /// Records every snapshot, whether it differs or not.
  case all
}

/// The rules that decide whether a snapshot is recorded. They use no files.
struct SnapshotRecordingRules: Equatable {
  /// The result of comparing a snapshot with a transcript.
  enum Finding: CaseIterable {
    case missing, different, same
  }

  enum Verdict: Equatable {
    case passes
    case fails
    case isRecorded
    /// The snapshot would be recorded, but `CI` is set.
    case isNotRecordedInCI
  }

  /// A value of the environment that is not a mode.
  struct UnknownMode: Error, Equatable {
    let text: String
  }

  static let variable = "LIFECYCLE_SNAPSHOTS"

  let mode: SnapshotRecording
  let isInCI: Bool

  init(mode: SnapshotRecording, isInCI: Bool) {
    self.mode = mode
    self.isInCI = isInCI
  }

  /// - Parameter mode: The mode that the test requests, which overrides the environment.
  init(_ mode: SnapshotRecording?, environment: [String: String]) throws(UnknownMode) {
    let isInCI = !["", "0", "false"].contains(environment["CI"]?.lowercased() ?? "")
    if let mode {
      self.init(mode: mode, isInCI: isInCI)
      return
    }
    let text = environment[Self.variable] ?? ""
    guard let mode = text.isEmpty ? .never : SnapshotRecording(rawValue: text) else {
      throw UnknownMode(text: text)
    }
    self.init(mode: mode, isInCI: isInCI)
  }

  func verdict(on finding: Finding) -> Verdict {
    let isToBeRecorded =
      switch (mode, finding) {
      case (.all, _), (.failed, .missing), (.failed, .different), (.missing, .missing): true
      case (.never, _), (.missing, _), (.failed, .same): false
      }
    if isToBeRecorded { return isInCI ? .isNotRecordedInCI : .isRecorded }
    return finding == .same ? .passes : .fails
  }
}
