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
        \(SnapshotRecordingRules.variable) is \(text.debugDescription) in the environment. It can be \
        \(modes.dropLast().joined(separator: ", ")) or \(modes.last!).
        """
    case .unknownFolder(let filePath):
      return """
        The snapshots of \(filePath) can't be found: this machine does not have its folder. File \
        snapshots need the tests' sources where they were compiled.
        """
    case .badName(let name, let problem):
      return "A snapshot can't be called \(name.debugDescription): \(problem.reason)."
    case .needsName(let function):
      return """
        The snapshot needs a name: \(function) has parameters, and may be called with different ones. \
        Write .file("…"), with a name for each case.
        """
    case .isAmbiguous(let function, let filePath):
      return """
        The snapshot needs a name: \(filePath) has several tests \(function). Write .file("…"), or rename \
        one of them.
        """
    case .wasRecorded(let path):
      return """
        The snapshot needs a name of its own: this run has recorded something else in \(path) already. \
        Write .file("…"), with a name for each round of a loop, and for each test that comes here.
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
    case actual: "What has happened is the snapshot \(path)."
    default: "What has happened is not the snapshot \(path)."
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
      If what has happened is right, record it:

      \(command)
      """
    case .isRecorded:
      "It was recorded now, as the mode is .\(mode.rawValue). Look at it, and run the test again."
    case .isNotRecordedInCI:
      """
      It was not recorded, though the mode is .\(mode.rawValue): CI is set in the environment. Record it \
      elsewhere, and commit it.
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
    guard let stored else { return "What has happened:\n\n\(actual.text)" }
    return stored == actual ? nil : actual.difference(from: stored)
  }
}
