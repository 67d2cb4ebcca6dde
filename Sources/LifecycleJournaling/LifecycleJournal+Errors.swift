import IssueReporting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension LifecycleJournal {
  /// The kind of a path's target that is not a regular file.
  public enum FileKind: String, Sendable, Hashable, CaseIterable {
    case directory, pipe, socket, device, other
  }

  /// The reason why a journal can't be opened.
  ///
  /// Earlier records are kept.
  public enum OpenError: Error, Sendable, Hashable {
    /// Another journal uses the file, in this process or in another one.
    case inUse(path: String, processID: Int32?)
    /// The path leads to something other than a regular file.
    case notARegularFile(path: String, FileKind)
    /// The system can't open, create, read or write the file.
    case cannotOpen(path: String, errno: Int32)
    /// The file is damaged at that byte, and the system can't make a copy of it.
    case cannotSetAside(path: String, offset: Int, problem: Damage.Problem, errno: Int32)
  }

  /// The reason why something was not recorded.
  ///
  /// Earlier records are kept.
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
      End that one, or use a file for each process.
      """
    case .notARegularFile(let path, let kind):
      "The journal \(path) can't be opened: it is \(kind.phrase). Name a file, or a new one."
    case .cannotOpen(let path, let errno):
      "The journal \(path) can't be opened: \(systemMessage(errno)).\(advice(errno, path))"
    case .cannotSetAside(let path, let offset, let problem, let errno):
      """
      \(path) is not a journal, or was damaged: at byte \(offset), \(problem). It was left as it \
      is, as its bytes can't be copied to a file beside it: \(systemMessage(errno)). Move it \
      away, or make that possible.
      """
    }
  }

  private func advice(_ code: Int32, _ path: String) -> String {
    switch code {
    case EACCES, EPERM: " Allow this user to read and write it and its directory, or name another."
    case ENOENT: " Make the directory \(directory(of: path)) first."
    case EROFS: " Name a file in a place that can be written to."
    case ENOSPC, EDQUOT: " Make room first."
    default: ""
    }
  }
}

extension LifecycleJournal.WriteError: CustomStringConvertible {
  /// A description of the problem, and of the outcome for the data that was to be recorded.
  public var description: String {
    switch self {
    case .cannotWrite(let path, let errno):
      """
      The journal \(path) can't be written to: \(systemMessage(errno)). What it recorded before \
      stays, and the next record is tried again.
      """
    case .tooLarge(let key, let size, let room):
      """
      The value for "\(key)" takes \(size) bytes, and the journal has room for \(room). The value \
      that was there stays. Keep large values in files of their own.
      """
    case .cannotEncode(let key, let reason):
      "The value for \"\(key)\" can't be encoded, and the one that was there stays: \(reason)"
    case .inUse(let path, let processID):
      """
      The journal \(path) is in use by \(processID.map { "process \($0)" } ?? "another process"), \
      which opened it while this one was not in the foreground. Nothing was recorded. Use a file for \
      each process.
      """
    case .ended(let path):
      "Nothing is recorded in the journal \(path) any more: the run has ended with end()."
    }
  }
}

extension LifecycleJournal.WriteError {
  /// Reports the error as an issue: a failure in a test, a purple warning in Xcode, a line on
  /// standard error elsewhere.
  public func report() {
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
    case .other: "not a file"
    }
  }
}
