/// When file snapshots are recorded. Whenever one is, the test fails: a recorded snapshot is looked at, and
/// the test is run again.
///
/// It is chosen where a snapshot is expected, with ``LifecycleSnapshotFile/file(_:record:)``, else by the
/// environment:
///
/// ```text
/// LIFECYCLE_SNAPSHOTS=missing swift test
/// ```
///
/// For `xcodebuild`, put `TEST_RUNNER_` before the name. Where `CI` is set in the environment, to anything
/// but `0` and `false`, nothing is recorded: a test that would record fails and says so.
public enum SnapshotRecording: String, Sendable, Hashable, CaseIterable {
  /// Nothing is recorded, unless something else is asked for.
  case never
  /// Snapshots that do not exist.
  case missing
  /// Snapshots that do not exist, and those that differ from what has happened.
  case failed
  /// Every snapshot, whether it differs or not.
  case all
}

/// Whether a snapshot is recorded. It knows no file.
struct SnapshotRecordingRules: Equatable {
  /// How a snapshot compares with what has happened.
  enum Finding: CaseIterable {
    case missing, different, same
  }

  enum Verdict: Equatable {
    case passes
    case fails
    case isRecorded
    /// It would be recorded, but `CI` is set.
    case isNotRecordedInCI
  }

  /// A value of the environment that is none of the modes.
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

  /// - Parameter mode: What the test asks for, which the environment does not change.
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
