import Foundation
import IssueReporting
import LifecycleSupport
import ReactiveLifecycle

/// A snapshot in a file beside the test, for
/// ``expectLifecycle(_:matches:fileID:filePath:line:column:function:)``.
public struct LifecycleSnapshotFile: Sendable, Hashable {
  let name: String?
  let record: SnapshotRecording?

  /// The snapshot of the test function: `__Snapshots__/TEST FILE/FUNCTION.txt`, then
  /// `FUNCTION-2.txt` for the second place in the source that expects a snapshot, and so on.
  public static let file = file()

  /// Returns a named snapshot of the test function: `__Snapshots__/TEST FILE/FUNCTION.NAME.txt`.
  ///
  /// - Parameters:
  ///   - name: A name that distinguishes the cases of a parameterized test, the rounds of a loop,
  ///     or tests of one file whose functions have the same name, which is not detected with
  ///     XCTest. Not needed otherwise.
  ///   - record: The condition for recording; nil to use that of the environment, see
  ///     ``SnapshotRecording``.
  public static func file(_ name: String? = nil, record: SnapshotRecording? = nil) -> Self {
    Self(name: name, record: record)
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
/// The failure shows the command to record the file, or the difference; see ``SnapshotRecording``
/// for when files are written. Tests may run in parallel. To prevent SwiftPM's warnings about the
/// files, list their folder, `__Snapshots__`, in the `exclude` of the test target.
///
/// - Parameters:
///   - subject: A ``ScriptedLifecycle``, a ``LifecycleRecorder``, a ``LifecycleTranscript`` or a
///     `FlightRecording`.
///   - file: The file to compare with. Whitespace at the ends of its lines is ignored, as are empty
///     lines at its beginning and end.
///   - filePath: The test's file, whose folder contains `__Snapshots__`.
///   - function: The test function.
///   - fileID: The file ID of the call site.
///   - line: The line of the call site.
///   - column: The column of the call site.
public func expectLifecycle(
  _ subject: some LifecycleTranscriptConvertible,
  matches file: LifecycleSnapshotFile,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) {
  let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let snapshot = FileSnapshot(
    file,
    filePath: "\(filePath)",
    function: "\(function)",
    place: SnapshotNumbers.Place(line: line, column: column),
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
  private static let numbers = Locked(SnapshotNumbers())
  /// The snapshots that this process has recorded, by path.
  private static let recorded = Locked<[String: SnapshotText]>([:])

  private let file: LifecycleSnapshotFile
  private let filePath: String
  private let function: String
  private let place: SnapshotNumbers.Place
  private let testID: String?
  private let environment: [String: String]
  private let files = SnapshotFiles()

  init(
    _ file: LifecycleSnapshotFile,
    filePath: String,
    function: String,
    place: SnapshotNumbers.Place,
    testID: String?,
    environment: [String: String]
  ) {
    self.file = file
    self.filePath = filePath
    self.function = function
    self.place = place
    self.testID = testID
    self.environment = environment
  }

  /// Compares a text with the file, and writes the file if the rules require it.
  ///
  /// - Returns: The message with which the test fails; nil if it passes.
  func failure(of actual: SnapshotText) -> String? {
    do throws(SnapshotFailure) {
      let rules = try rules()
      let (path, function) = try path()
      let stored = try read(path)
      let finding: SnapshotRecordingRules.Finding =
        switch stored {
        case nil: .missing
        case actual: .same
        default: .different
        }
      let verdict = rules.verdict(on: finding)
      if verdict == .passes { return nil }
      let earlier = Self.recorded.withLock { $0[path] }
      if let earlier, earlier != actual { throw .wasRecorded(path) }
      if verdict == .isRecorded {
        try write(actual, to: path)
        Self.recorded.withLock { $0[path] = actual }
      }
      let report = SnapshotReport(path: path, function: function, actual: actual, stored: stored)
      return report.message(verdict, rules.mode)
    } catch {
      return error.message
    }
  }

  private func rules() throws(SnapshotFailure) -> SnapshotRecordingRules {
    do throws(SnapshotRecordingRules.UnknownMode) {
      return try SnapshotRecordingRules(file.record, environment: environment)
    } catch {
      throw .unknownMode(error.text)
    }
  }

  private func path() throws(SnapshotFailure) -> (path: String, function: String) {
    let source = URL(filePath: filePath)
    let folder = source.deletingLastPathComponent().path
    guard filePath.hasPrefix("/"), files.isFolder(folder) else { throw .unknownFolder(filePath) }
    let name: SnapshotName
    do throws(SnapshotName.Problem) {
      name = try SnapshotName(function: function, name: file.name)
    } catch {
      throw .badName(file.name ?? function, error)
    }
    let number = file.name == nil ? try number(name) : 1
    let test = source.deletingPathExtension().lastPathComponent
    return ("\(folder)/__Snapshots__/\(test)/\(name.file(number: number))", name.function)
  }

  private func number(_ name: SnapshotName) throws(SnapshotFailure) -> Int {
    if name.hasParameters { throw .needsName(function) }
    let test = SnapshotNumbers.Test(filePath: filePath, function: name.function)
    guard let number = Self.numbers.withLock({ $0.number(of: place, in: test, testID) }) else {
      throw .isAmbiguous(function, filePath)
    }
    return number
  }

  private func read(_ path: String) throws(SnapshotFailure) -> SnapshotText? {
    do throws(SnapshotFiles.Problem) {
      return try files.read(path).map(SnapshotText.init)
    } catch {
      throw .unreadable(path, error.reason)
    }
  }

  private func write(_ text: SnapshotText, to path: String) throws(SnapshotFailure) {
    do throws(SnapshotFiles.Problem) {
      try files.write("\(text.text)\n", to: path)
    } catch {
      throw .unwritable(path, error.reason)
    }
  }
}
