import IssueReporting
import LifecycleSupport

/// An error that indicates why a file of recordings can't be read or written.
public struct FlightFileError: Error, Equatable, Sendable {
  /// The problem.
  @nonexhaustive
  public enum Problem: Equatable, Sendable {
    /// There is no file at the path.
    case missing
    /// The system refused to read it, with this error number.
    case unreadable(errno: Int32)
    /// The file is no recording.
    case notARecording(reason: String)
    /// A later version of the format, which this version can't read.
    case laterVersion(Int)
    /// The system refused to write it, with this error number.
    ///
    /// The number is `EWOULDBLOCK` if another writer uses the file.
    case unwritable(errno: Int32)
    /// Another program has moved, deleted, truncated, or otherwise changed the file while it was
    /// written.
    ///
    /// The recording continues in the file at the path, which is created if needed, with the state
    /// at that moment as its beginning.
    case changedByAnotherProgram
  }

  /// The problem.
  public var problem: Problem
  /// The path of the file.
  public var path: String

  /// Creates an error.
  package init(_ problem: Problem, _ path: String) {
    self.problem = problem
    self.path = path
  }
}

extension FlightFileError: CustomStringConvertible {
  /// A description of the problem, and of what to do.
  public var description: String {
    switch problem {
    case .missing:
      "The recording \(name) can't be read: there is no such file. Check the path."
    case .unreadable(let errno):
      "The recording \(name) can't be read: \(SystemError(errno: errno).message).\(readAdvice(errno))"
    case .notARecording(let reason):
      """
      \(path.isEmpty ? "The text" : path) is not a recording: \(reason). Pass a file \
      that FlightRecording or FlightRecorder has written.
      """
    case .laterVersion(let version):
      """
      The recording \(name) has version \(version) of the format, and this program reads version \
      \(FlightFormat.version). Read it with a later version of swift-reactive-lifecycle.
      """
    case .unwritable(EWOULDBLOCK):
      """
      The recording \(name) can't be written: another recorder writes it. Use a separate file for \
      each recorder and for each process.
      """
    case .unwritable(let errno):
      "The recording \(name) can't be written: \(SystemError(errno: errno).message).\(writeAdvice(errno))"
    case .changedByAnotherProgram:
      """
      The recording \(name) was moved, deleted, or changed by another program, so it begins anew at \
      the path. Exclude it from rotation by other programs, such as logrotate.
      """
    }
  }

  private var name: String { path.isEmpty ? "\"\"" : path }

  private func readAdvice(_ code: Int32) -> String {
    switch code {
    case EACCES, EPERM: " Allow this user to read the file, and to enter its directory."
    case EISDIR: " Pass the path of a file in it."
    case ENODEV: " Pass the path of a file or of a pipe."
    case EFBIG, ENOMEM: " Split the file between two of its lines."
    default: ""
    }
  }

  private func writeAdvice(_ code: Int32) -> String {
    switch code {
    case EACCES, EPERM:
      " Allow this user to write the file and its directory, or choose another path."
    case ENOENT where path.isEmpty, EISDIR: " Pass the path of a file."
    case ENODEV: " Pass the path of a regular file or of a new one."
    case ENOENT: " Create the directory \(SystemFile.directory(of: path)) first."
    case EROFS: " Choose a path on a writable file system."
    case ENOSPC, EDQUOT: " Free some space."
    case EFBIG: " Raise the limit for the size of files, or write smaller ones."
    default: ""
    }
  }
}

extension FlightFileError {
  /// Reports the error as an issue: a failure in a test, a purple warning in Xcode, a line on
  /// standard error elsewhere.
  public func report() {
    reportIssue(description)
  }
}
