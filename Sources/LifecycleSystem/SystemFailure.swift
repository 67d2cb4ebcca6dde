#if os(Linux)
  import LifecycleProcess
  import LifecycleSupport

  /// The failure to use a facility of the system.
  struct SystemFailure: Error, Hashable {
    /// The facility, such as the path of a file.
    let name: String
    /// The reason in words.
    let reason: String
    /// The system's error number; 0 if there is none.
    let errno: Int32

    init(_ name: String, reason: String, errno: Int32 = 0) {
      self.name = name
      self.reason = reason
      self.errno = errno
    }

    /// Creates a failure with the system's last error.
    init(_ name: String) {
      let errno = lastErrorNumber
      self.init(name, reason: "\(name): \(String(cString: strerror(errno)))", errno: errno)
    }

    /// The error with which a source can't start; nil if the facility is missing or refused, which
    /// is no error.
    var shortage: ProcessSignalSource.StartError? { .init(opening: name, shortage: errno) }
  }

  /// Returns what the body returns, or nil if a facility is missing or refused.
  ///
  /// - Throws: `ProcessSignalSource.StartError` if the system is short of descriptors or memory.
  func availableResult<Result>(
    _ body: () throws(SystemFailure) -> Result
  ) throws(ProcessSignalSource.StartError) -> Result? {
    do throws(SystemFailure) {
      return try body()
    } catch {
      if let shortage = error.shortage { throw shortage }
      return nil
    }
  }

  private var lastErrorNumber: Int32 { errno }

  extension KernelFile {
    /// Opens a file, which the caller closes.
    static func open(_ path: String) throws(SystemFailure) -> Int32 {
      let descriptor = SystemDescriptor.open(path, O_RDONLY)
      guard descriptor >= 0 else { throw SystemFailure(path) }
      return descriptor
    }

    /// The number after a key at the beginning of a line, as in `frozen 0`; nil if there is none.
    static func number(_ key: String, in text: String) -> Int64? {
      let line = text.split(separator: "\n").first { $0.hasPrefix("\(key) ") }
      return line.flatMap { Int64($0.dropFirst(key.utf8.count + 1)) }
    }
  }
#endif
