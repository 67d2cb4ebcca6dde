import Foundation
import IssueReporting
import LifecycleCore
import LifecycleSupport

/// A snapshot in a file beside the test, for
/// ``expectLifecycle(_:matches:fileID:filePath:line:column:function:)``.
public struct LifecycleSnapshotFile: Sendable, Hashable {
  let name: String?

  /// The snapshot of the test function: `__Snapshots__/TEST FILE/FUNCTION.1.txt`, then
  /// `FUNCTION.2.txt` for the second position in the source that expects a snapshot, and so on.
  public static let file = Self(name: nil)

  /// Returns a named snapshot of the test function: `__Snapshots__/TEST FILE/FUNCTION.NAME.txt`.
  ///
  /// - Parameter name: A name that distinguishes the cases of a parameterized test, the rounds of a
  ///   loop, or tests of one file whose functions have the same name, which is not detected with
  ///   XCTest. Not needed otherwise. Characters other than letters, digits and underscores become
  ///   hyphens. A number is the name of the unnamed snapshot with that number.
  public static func file(_ name: String) -> Self {
    Self(name: name)
  }
}

/// Fails the test at the caller's line if the transcript differs from the contents of a file.
///
/// ```swift
/// let lifecycle = ScriptedLifecycle()
/// lifecycle.perform(.launch, .becomeActive, .background(for: .seconds(90)))
/// expectLifecycle(lifecycle, matches: .file)
/// ```
///
/// The cases of a parameterized test need names:
///
/// ```swift
/// expectLifecycle(lifecycle, matches: .file("away \(seconds) s"))
/// ```
///
/// The failure shows the command to record the file, or the difference. A file is written if the
/// environment variable `LIFECYCLE_SNAPSHOTS` requires it, and the test then fails once;
/// <doc:RecordersAndSnapshots> lists the values. Tests may run in parallel.
///
/// - Parameters:
///   - subject: A ``ScriptedLifecycle``, a ``LifecycleRecorder``, a ``LifecycleTranscript`` or a
///     `FlightRecording`.
///   - file: The file to compare with. Whitespace at the ends of its lines is ignored, as are empty
///     lines at its beginning and end.
///   - filePath: The test's file, whose folder contains `__Snapshots__`.
///   - function: The test function.
public func expectLifecycle(
  _ subject: some LifecycleTranscriptConvertible,
  matches file: LifecycleSnapshotFile,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) {
  let site = CallSite(fileID, filePath, line, column)
  let snapshot = FileSnapshot(
    name: file.name,
    filePath: "\(filePath)",
    function: "\(function)",
    position: SnapshotNumbers.Position(line: line, column: column),
    testID: currentTestID,
    environment: ProcessInfo.processInfo.environment
  )
  guard let failure = snapshot.failure(of: SnapshotText(subject.transcript)) else { return }
  TestFailures.report(failure, at: site)
}

/// The identifier of the running Swift Testing test; nil elsewhere.
private var currentTestID: String? {
  guard case .swiftTesting(let testing?) = TestContext.current else { return nil }
  return String(describing: testing.test.id.rawValue)
}

/// An expectation in a file, which may not exist yet.
struct FileSnapshot {
  /// A problem that prevents a snapshot from being compared or recorded.
  private struct Problem: Error {
    let message: String
  }

  private static let numbers = Locked(SnapshotNumbers())
  /// The snapshots that this process has recorded, by path.
  private static let recorded = Locked<[String: SnapshotText]>([:])

  let name: String?
  let filePath: String
  /// The value of `#function`.
  let function: String
  let position: SnapshotNumbers.Position
  let testID: String?
  let environment: [String: String]

  /// Compares a text with the file, and writes the file if the rules require it.
  ///
  /// - Returns: The message with which the test fails; nil if it passes.
  func failure(of actual: SnapshotText) -> String? {
    do throws(Problem) {
      let recording = try recording()
      let path = try path()
      let stored = try read(path)
      let verdict = recording.verdict(
        on: stored == nil ? .missing : stored == actual ? .same : .different
      )
      if verdict == .passes { return nil }
      let earlier = Self.recorded.withLock { $0[path] }
      if let earlier, earlier != actual {
        throw Problem(
          message: """
            The snapshot needs a different name because this run has already recorded another \
            transcript in \(path). Pass .file("…") with a different name for each iteration of a \
            loop and for each test that calls this code.
            """
        )
      }
      if verdict == .isRecorded {
        try write(actual, to: path)
        Self.recorded.withLock { $0[path] = actual }
      }
      return message(path, stored, actual, verdict, recording.mode)
    } catch {
      return error.message
    }
  }

  private func recording() throws(Problem) -> SnapshotRecording {
    guard let recording = SnapshotRecording(environment) else {
      let modes = SnapshotRecording.Mode.allCases.map(\.rawValue)
      throw Problem(
        message: """
          The environment variable \(SnapshotRecording.variable) has the unknown value \
          \(environment[SnapshotRecording.variable]!.debugDescription). Set it to \
          \(modes.dropLast().joined(separator: ", ")), or \(modes.last!).
          """
      )
    }
    return recording
  }

  // MARK: The file

  /// The name of the function, without its parameters.
  private var functionName: Substring {
    function[..<(function.lastIndex(of: "(") ?? function.endIndex)]
  }

  private func path() throws(Problem) -> String {
    let source = URL(filePath: filePath)
    let folder = source.deletingLastPathComponent().path
    guard filePath.hasPrefix("/"), SnapshotFiles.isFolder(folder) else {
      throw Problem(
        message: """
          The snapshots of \(filePath) can't be found because its folder doesn't exist on this \
          machine. Run the tests where their sources are at the path from which they were compiled.
          """
      )
    }
    let test = source.deletingPathExtension().lastPathComponent
    let suffix: String
    if let name { suffix = sanitized(name[...]) } else { suffix = "\(try number())" }
    return "\(folder)/__Snapshots__/\(test)/\(sanitized(functionName)).\(suffix).txt"
  }

  /// Replaces characters that are not possible in file names everywhere.
  private func sanitized(_ name: Substring) -> String {
    String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "-" })
  }

  private func number() throws(Problem) -> Int {
    if function.dropFirst(functionName.count).count > 2 {
      throw Problem(
        message: """
          The snapshot needs a name because \(function) has parameters and may be called with \
          different arguments. Pass .file("…") with a different name for each case.
          """
      )
    }
    let test = SnapshotNumbers.Test(filePath: filePath, function: sanitized(functionName))
    guard let number = Self.numbers.withLock({ $0.number(of: position, in: test, testID) }) else {
      throw Problem(
        message: """
          The snapshot needs a name because \(filePath) has several tests named \(function). Pass \
          .file("…") with a name, or rename one of the tests.
          """
      )
    }
    return number
  }

  private func read(_ path: String) throws(Problem) -> SnapshotText? {
    do throws(SnapshotFiles.Problem) {
      return try SnapshotFiles.read(path).map(SnapshotText.init)
    } catch {
      throw Problem(message: "The snapshot \(path) can't be read: \(error.reason).")
    }
  }

  private func write(_ text: SnapshotText, to path: String) throws(Problem) {
    do throws(SnapshotFiles.Problem) {
      try SnapshotFiles.write("\(text.text)\n", to: path)
    } catch {
      throw Problem(message: "The snapshot \(path) can't be recorded: \(error.reason).")
    }
  }

  // MARK: The message

  private func message(
    _ path: String,
    _ stored: SnapshotText?,
    _ actual: SnapshotText,
    _ verdict: SnapshotRecording.Verdict,
    _ mode: SnapshotRecording.Mode
  ) -> String {
    var paragraphs: [String] = []
    switch stored {
    case nil: paragraphs.append("There is no snapshot \(path).")
    case actual: paragraphs.append("The transcript matches the snapshot \(path).")
    default: paragraphs.append("The transcript differs from the snapshot \(path).")
    }
    switch verdict {
    case .passes: break
    case .fails:
      let mode: SnapshotRecording.Mode = stored == nil ? .missing : .failed
      // The filter is a regular expression.
      let filter = sanitized(functionName).replacing("-", with: ".")
      paragraphs += [
        "If the actual transcript is correct, record it:",
        "\(SnapshotRecording.variable)=\(mode.rawValue) swift test --filter \(filter)",
      ]
    case .isRecorded:
      paragraphs.append(
        """
        The actual transcript was recorded because the mode is .\(mode.rawValue). Review the file \
        and run the test again.
        """
      )
    case .isNotRecordedInCI:
      paragraphs.append(
        """
        The mode is .\(mode.rawValue), but nothing was recorded because CI is set in the \
        environment. Record the snapshot on another machine and commit it.
        """
      )
    }
    switch stored {
    case nil: paragraphs.append("Actual transcript:\n\n\(actual.text)")
    case actual: break
    case .some(let stored): paragraphs.append(actual.difference(from: stored))
    }
    return paragraphs.joined(separator: "\n\n")
  }
}

/// The rules that decide whether a snapshot is recorded. They use no files.
struct SnapshotRecording: Equatable {
  enum Mode: String, CaseIterable {
    case never, missing, failed, all
  }

  /// The result of comparing a snapshot with a transcript.
  enum Finding: CaseIterable {
    case missing, different, same
  }

  enum Verdict {
    case passes
    case fails
    case isRecorded
    /// The snapshot would be recorded, but `CI` is set.
    case isNotRecordedInCI
  }

  static let variable = "LIFECYCLE_SNAPSHOTS"

  let mode: Mode
  let isInCI: Bool

  init(mode: Mode, isInCI: Bool) {
    self.mode = mode
    self.isInCI = isInCI
  }

  /// Returns nil if the environment requests a mode that does not exist.
  init?(_ environment: [String: String]) {
    let text = environment[Self.variable] ?? ""
    guard let mode = text.isEmpty ? .never : Mode(rawValue: text) else { return nil }
    self.mode = mode
    isInCI = !["", "0", "false"].contains(environment["CI"]?.lowercased() ?? "")
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

/// The numbers of unnamed snapshots, separate for each test.
///
/// Numbers belong to positions in the source, in the order in which the test first reaches them,
/// rather than to calls: a test that runs again in the same process gets the same numbers.
struct SnapshotNumbers {
  struct Test: Hashable {
    let filePath: String
    let function: String
  }

  struct Position: Equatable {
    let line: UInt
    let column: UInt
  }

  private struct Entry {
    var id: String?
    var positions: [Position] = []
  }

  private var entries: [Test: Entry] = [:]

  /// - Parameter id: The identifier of the test, if known.
  /// - Returns: The number, from 1; nil if another test has a function of that name in that file.
  mutating func number(of position: Position, in test: Test, _ id: String?) -> Int? {
    var entry = entries[test] ?? Entry()
    if let known = entry.id, let id, known != id { return nil }
    entry.id = entry.id ?? id
    defer { entries[test] = entry }
    if let index = entry.positions.firstIndex(of: position) { return index + 1 }
    entry.positions.append(position)
    return entry.positions.count
  }
}

/// The files of snapshots.
enum SnapshotFiles {
  /// A problem with a file, in words.
  struct Problem: Error {
    let reason: String
  }

  /// Returns the file's text; nil if there is no such file.
  static func read(_ path: String) throws(Problem) -> String? {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return nil
    }
    if isDirectory.boolValue { throw Problem(reason: "it is a folder") }
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw Problem(reason: reason(error))
    }
    guard let text = String(validUTF8: data) else {
      throw Problem(reason: "it is not UTF-8 text")
    }
    return text
  }

  /// Writes the whole file or nothing, and creates its folders if needed.
  static func write(_ text: String, to path: String) throws(Problem) {
    let url = URL(filePath: path)
    let folder = url.deletingLastPathComponent()
    for folder in [folder.deletingLastPathComponent(), folder]
    where FileManager.default.fileExists(atPath: folder.path) && !isFolder(folder.path) {
      throw Problem(reason: "\(folder.path) is not a folder")
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try SystemWrite.withoutSignals { try Data(text.utf8).write(to: url, options: .atomic) }
    } catch {
      throw Problem(reason: reason(error))
    }
  }

  static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  /// Returns the error text of the system, or else of Foundation, as a part of a sentence.
  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    // On Linux, the cause is not an `NSError`, and only an `Error` becomes one.
    if let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map({ $0 as NSError }),
      cause.domain == NSPOSIXErrorDomain, let code = Int32(exactly: cause.code)
    {
      return String(cString: strerror(code))
    }
    let text = error.localizedDescription
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
