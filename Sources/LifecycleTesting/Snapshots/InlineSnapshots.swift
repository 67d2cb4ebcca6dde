import CustomDump
import LifecycleCore

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
public func expectLifecycle(
  _ subject: some LifecycleTranscriptConvertible,
  matches expected: String,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let actual = SnapshotText(subject.transcript)
  guard let failure = actual.failure(expected: SnapshotText(expected)) else { return }
  let site = CallSite(fileID, filePath, line, column)
  TestFailures.report(failure, at: site)
}

/// The lines of a transcript in the form that is compared: without whitespace at their ends, which
/// editors remove, and without empty lines at the beginning and the end.
struct SnapshotText: Equatable {
  let lines: [String]

  init(_ text: String) {
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { line in
        let end = line.lastIndex { !$0.isWhitespace }.map(line.index(after:))
        return String(line[..<(end ?? line.startIndex)])
      }[...]
    lines = lines.drop { $0.isEmpty }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    self.lines = Array(lines)
  }

  init(_ transcript: LifecycleTranscript) {
    self.init(transcript.description)
  }

  var isEmpty: Bool { lines.isEmpty }

  var text: String { lines.joined(separator: "\n") }

  /// The text as a Swift literal to paste.
  var literal: String {
    let text = text
    var hashes = ""
    while text.contains("\"\"\"" + hashes) || text.contains("\\" + hashes) { hashes += "#" }
    return "\(hashes)\"\"\"\n\(isEmpty ? "" : text + "\n")\"\"\"\(hashes)"
  }
}

extension SnapshotText {
  /// Returns the message with which a test fails that expects a text in its source; nil if it
  /// passes.
  func failure(expected: SnapshotText) -> String? {
    if self == expected { return nil }
    if expected.isEmpty {
      return """
        No transcript is expected yet. If the actual one is correct, expect it:

        \(literal)
        """
    }
    if isEmpty {
      return """
        The transcript is empty, but this was expected:

        \(difference(from: expected))
        """
    }
    return """
      The transcript differs from the expected one:

      \(difference(from: expected))

      If the actual one is correct, expect it:

      \(literal)
      """
  }

  /// Returns the difference from the expected text in the format of custom-dump, with long
  /// stretches of unchanged lines folded.
  func difference(from expected: SnapshotText) -> String {
    let format = DiffFormat.proportional
    let lines = Self.folded(linesOfDifference(from: expected, format), unchanged: format.both)
    return """
      \(lines.map { "  \($0)" }.joined(separator: "\n"))

      (Expected: \(format.first), Actual: \(format.second))
      """
  }

  private func linesOfDifference(
    from expected: SnapshotText,
    _ format: DiffFormat
  ) -> ArraySlice<Substring> {
    if isEmpty { return expected.lines.map { "\(format.first) \($0)" }[...] }
    if expected.isEmpty { return lines.map { "\(format.second) \($0)" }[...] }
    // With a line break at the end, texts of one line are compared by lines, too.
    let text = diff("\(expected.text)\n", "\(text)\n", format: format) ?? ""
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    // Drops the quotes, and the empty line after the line break.
    lines = lines.dropFirst().dropLast()
    if lines.last == "\(format.both) " { lines = lines.dropLast() }
    return lines
  }

  /// Folds unchanged lines, except for three around each change.
  private static func folded(_ lines: ArraySlice<Substring>, unchanged: String) -> [Substring] {
    let context = 3
    let changes = lines.indices.filter { !lines[$0].hasPrefix(unchanged) }
    var result: [Substring] = []
    var next = lines.startIndex
    func fold(until end: Int) {
      if end - next > 1 {
        result.append("\(unchanged) … (\(end - next) unchanged)")
        next = end
      }
      result += lines[next..<end]
      next = end
    }
    for change in changes {
      fold(until: max(next, change - context))
      let end = min(change + context + 1, lines.endIndex)
      result += lines[next..<max(next, end)]
      next = max(next, end)
    }
    fold(until: lines.endIndex)
    return result
  }
}
