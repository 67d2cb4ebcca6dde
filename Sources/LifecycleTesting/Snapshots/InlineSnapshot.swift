import ReactiveLifecycle

/// Fails the test at the caller's line if what has happened is not what is expected.
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
/// The failure shows the difference, and the transcript ready to be pasted. To begin a test, expect `""`.
///
/// - Parameters:
///   - subject: A ``ScriptedLifecycle``, a ``LifecycleRecorder`` or a ``LifecycleTranscript``.
///   - expected: Its transcript. Whitespace at the ends of lines does not count, nor do empty lines before
///     the first one and after the last one.
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

/// An expectation that stands in the test.
struct InlineSnapshot {
  private let expected: SnapshotText

  init(_ expected: SnapshotText) {
    self.expected = expected
  }

  /// Why the test fails; nil if it does not.
  func failure(of actual: SnapshotText) -> String? {
    if actual == expected { return nil }
    if expected.isEmpty {
      return """
        There is no expectation yet. If what has happened is right, expect it:

        \(actual.literal)
        """
    }
    if actual.isEmpty {
      return """
        Nothing was recorded, but this was expected:

        \(actual.difference(from: expected))
        """
    }
    return """
      What has happened is not what was expected:

      \(actual.difference(from: expected))

      If it is right, expect it:

      \(actual.literal)
      """
  }
}
