/// A problem that prevents a snapshot from being compared or recorded.
enum SnapshotFailure: Error, Equatable {
  case unknownMode(String)
  case unknownFolder(String)
  case badName(String, SnapshotName.Problem)
  case needsName(String)
  case isAmbiguous(String, String)
  case wasRecorded(String)
  case unreadable(String, String)
  case unwritable(String, String)
}

extension SnapshotFailure {
  var message: String {
    switch self {
    case .unknownMode(let text):
      let modes = SnapshotRecording.allCases.map(\.rawValue)
      return """
        The environment variable \(SnapshotRecordingRules.variable) has the unknown value \
        \(text.debugDescription). Set it to \(modes.dropLast().joined(separator: ", ")), or \
        \(modes.last!).
        """
    case .unknownFolder(let filePath):
      return """
        The snapshots of \(filePath) can't be found because its folder doesn't exist on this \
        machine. Run the tests where their sources are at the path from which they were compiled.
        """
    case .badName(let name, let problem):
      return """
        The snapshot name \(name.debugDescription) is not valid: \(problem.reason). Choose another \
        name.
        """
    case .needsName(let function):
      return """
        The snapshot needs a name because \(function) has parameters and may be called with \
        different arguments. Pass .file("…") with a different name for each case.
        """
    case .isAmbiguous(let function, let filePath):
      return """
        The snapshot needs a name because \(filePath) has several tests named \(function). Pass \
        .file("…") with a name, or rename one of the tests.
        """
    case .wasRecorded(let path):
      return """
        The snapshot needs a different name because this run has already recorded another \
        transcript in \(path). Pass .file("…") with a different name for each iteration of a loop \
        and for each test that calls this code.
        """
    case .unreadable(let path, let reason):
      return "The snapshot \(path) can't be read: \(reason)."
    case .unwritable(let path, let reason):
      return "The snapshot \(path) can't be recorded: \(reason)."
    }
  }
}

/// The message of a test that fails on a snapshot.
struct SnapshotReport {
  let path: String
  let function: String
  let actual: SnapshotText
  let stored: SnapshotText?

  func message(
    _ verdict: SnapshotRecordingRules.Verdict,
    _ mode: SnapshotRecording
  ) -> String {
    [finding, advice(verdict, mode), comparison].compactMap(\.self).joined(separator: "\n\n")
  }

  private var finding: String {
    switch stored {
    case nil: "There is no snapshot \(path)."
    case actual: "The transcript matches the snapshot \(path)."
    default: "The transcript differs from the snapshot \(path)."
    }
  }

  private func advice(
    _ verdict: SnapshotRecordingRules.Verdict,
    _ mode: SnapshotRecording
  ) -> String? {
    switch verdict {
    case .passes: nil
    case .fails:
      """
      If the actual transcript is correct, record it:

      \(command)
      """
    case .isRecorded:
      """
      The actual transcript was recorded because the mode is .\(mode.rawValue). Review the file \
      and run the test again.
      """
    case .isNotRecordedInCI:
      """
      The mode is .\(mode.rawValue), but nothing was recorded because CI is set in the \
      environment. Record the snapshot on another machine and commit it.
      """
    }
  }

  private var command: String {
    let mode: SnapshotRecording = stored == nil ? .missing : .failed
    // The filter is a regular expression.
    let filter = function.replacing("-", with: ".")
    return "\(SnapshotRecordingRules.variable)=\(mode.rawValue) swift test --filter \(filter)"
  }

  private var comparison: String? {
    guard let stored else { return "Actual transcript:\n\n\(actual.text)" }
    return stored == actual ? nil : actual.difference(from: stored)
  }
}
