import IssueReporting
import LifecycleSupport

extension LifecycleJournal {
  /// The kind of a path's target that is not a regular file.
  @nonexhaustive
  public enum FileKind: String, Sendable, Hashable {
    case directory, pipe, socket, device, other
  }

  /// The reason why a journal can't be opened.
  ///
  /// Earlier entries are kept.
  @nonexhaustive
  public enum OpenError: Error, Sendable, Hashable {
    /// Another journal uses the file, in this process or in another one.
    case inUse(path: String, processID: Int32?)
    /// The path leads to something other than a regular file.
    case notARegularFile(path: String, FileKind)
    /// The system can't open, create, read or write the file.
    case cannotOpen(path: String, errno: Int32)
    /// The system does not permit it, and protected data is unavailable: on iOS, the device is
    /// locked, or was not unlocked since it was started. See <doc:Journal>.
    case protectedDataUnavailable(path: String)
    /// The file is damaged at that byte, and the system can't make a copy of it.
    case cannotSetAside(path: String, offset: Int, problem: Damage.Problem, errno: Int32)
  }

  /// The reason why something was not recorded.
  ///
  /// Earlier entries are kept.
  @nonexhaustive
  public enum WriteError: Error, Sendable, Hashable {
    /// The system can't write to the file.
    case cannotWrite(path: String, errno: Int32)
    /// The value takes `size` bytes, and there is room for only `room` bytes.
    case tooLarge(key: String, size: Int, room: Int)
    /// The value can't be encoded, for the given reason.
    case cannotEncode(key: String, reason: String)
    /// Another process has opened the file while this one was not in the foreground; see
    /// <doc:Journal>.
    ///
    /// Its identifier is nil if it is unknown.
    case inUse(path: String, processID: Int32?)
    /// The run has ended; see ``LifecycleJournal/end()``.
    case ended(path: String)
  }
}

extension LifecycleJournal.OpenError: CustomStringConvertible {
  /// A description of the problem, and of what to do.
  public var description: String {
    switch self {
    case .inUse(let path, let processID):
      """
      The journal \(path) is in use by \(processID.map { "process \($0)" } ?? "another process"). \
      Close it there, or use a separate file for each process.
      """
    case .notARegularFile(let path, let kind):
      """
      The journal \(path) can't be opened: it is \(kind.phrase). Pass the path of a regular file \
      or of a new one.
      """
    case .cannotOpen(let path, let errno):
      "The journal \(path) can't be opened: \(SystemError(errno: errno).message).\(advice(errno, path))"
    case .protectedDataUnavailable(let path):
      """
      The journal \(path) can't be read because the device is locked, or was not unlocked since it \
      was started. Wait with "try await bus.waitForProtectedData()", and open it again.
      """
    case .cannotSetAside(let path, let offset, let problem, let errno):
      """
      \(path) is damaged or is not a journal: at byte \(offset), \(problem). The file was left \
      unchanged because its bytes can't be copied to a new file next to it: \
      \(SystemError(errno: errno).message). Move the file, or resolve that error.
      """
    }
  }
}

extension LifecycleJournal.OpenError {
  /// The same error, found while protected data is unavailable.
  var whileDeviceIsLocked: Self {
    switch self {
    case .cannotOpen(let path, EPERM), .cannotOpen(let path, EACCES):
      .protectedDataUnavailable(path: path)
    default: self
    }
  }
}

extension LifecycleJournal.WriteError: CustomStringConvertible {
  /// A description of the problem, and of the outcome for the data that was to be recorded.
  public var description: String {
    switch self {
    case .cannotWrite(let path, let errno):
      """
      The journal \(path) can't be written to: \(SystemError(errno: errno).message). Its earlier entries are \
      kept, and it tries again with the next entry.\(advice(errno, path))
      """
    case .tooLarge(let key, let size, let room):
      """
      The value for "\(key)" takes \(size) bytes, but the journal has room for only \(room), so \
      any earlier value is kept. Store large values in separate files.
      """
    case .cannotEncode(let key, let reason):
      "The value for \"\(key)\" can't be encoded, so any earlier value is kept: \(reason)"
    case .inUse(let path, let processID):
      """
      The journal \(path) is in use by \(processID.map { "process \($0)" } ?? "another process"), \
      which opened it while this process was not in the foreground, so nothing was recorded. Use a \
      separate file for each process.
      """
    case .ended(let path):
      """
      Nothing was recorded in the journal \(path) because its run has already ended with end(). \
      Record before you call end().
      """
    }
  }
}

extension LifecycleJournal.WriteError {
  /// Reports the error as an issue: a failure in a test, a purple warning in Xcode, a line on
  /// standard error elsewhere.
  func report() {
    reportIssue(description)
  }
}

extension LifecycleJournal.FileKind {
  fileprivate var phrase: String {
    switch self {
    case .directory: "a directory"
    case .pipe: "a pipe"
    case .socket: "a socket"
    case .device: "a device"
    case .other: "not a regular file"
    }
  }
}

/// Returns what to do about an error of the system, after a space; an empty text if that is
/// unknown.
private func advice(_ code: Int32, _ path: String) -> String {
  switch code {
  case EACCES, EPERM:
    " Allow this user to read and write the file and its directory, or choose another path."
  case ENOENT: " Create the directory \(SystemFile.directory(of: path)) first."
  case EROFS: " Choose a path on a writable file system."
  case ENOSPC, EDQUOT: " Free some space."
  default: ""
  }
}
