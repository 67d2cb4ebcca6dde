import ReactiveLifecycle

/// Fails the test at the caller's line if the transcript is not the expected one.
///
/// ```swift
/// let lifecycle = ScriptedLifecycle()
/// lifecycle.perform(.launch, .becomeActive)
/// expectLifecycle(
///   lifecycle,
///   matches: """
///     launch
///       [0 s background] didFinishLaunching
///     becomeActive
///       [0 s inactive] willEnterForeground
///       [0 s active] didBecomeActive
///     """
/// )
/// ```
///
/// The failure shows the difference, and the transcript ready to be pasted. To begin a test, expect
/// `""`.
///
/// - Parameters:
///   - subject: A ``ScriptedLifecycle``, a ``LifecycleRecorder``, a ``LifecycleTranscript`` or a
///     `FlightRecording`.
///   - expected: The expected transcript. Whitespace at the ends of lines is ignored, as are empty
///     lines at the beginning and the end.
///   - fileID: The file ID of the call site.
///   - filePath: The path of the call site's file.
///   - line: The line of the call site.
///   - column: The column of the call site.
public func expectLifecycle(
  _ subject: some LifecycleTranscriptConvertible,
  matches expected: String,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let failure = InlineSnapshot(SnapshotText(expected)).failure(of: SnapshotText(subject.transcript))
  guard let failure else { return }
  let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  TestFailures.report(failure, at: site)
}

/// An expectation in the source of a test.
struct InlineSnapshot {
  private let expected: SnapshotText

  init(_ expected: SnapshotText) {
    self.expected = expected
  }

  /// Returns the message with which the test fails; nil if it passes.
  func failure(of actual: SnapshotText) -> String? {
    if actual == expected { return nil }
    if expected.isEmpty {
      return """
        No transcript is expected yet. If the actual one is correct, expect it:

        \(actual.literal)
        """
    }
    if actual.isEmpty {
      return """
        The transcript is empty, but this was expected:

        \(actual.difference(from: expected))
        """
    }
    return """
      The transcript differs from the expected one:

      \(actual.difference(from: expected))

      If the actual one is correct, expect it:

      \(actual.literal)
      """
  }
}
