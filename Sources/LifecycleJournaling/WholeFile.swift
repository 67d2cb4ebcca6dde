import LifecycleSupport

/// Creates files that appear under their name with all their bytes, whenever the process is killed.
enum WholeFile {
  enum Outcome {
    case created(OpenFile)
    /// The name is taken.
    case exists
    /// The system, or the file system, does not support this.
    case unsupported
  }

  #if canImport(Darwin)
    static func create(
      at path: String,
      _ fill: (OpenFile) throws(JournalFileError) -> Void
    ) throws(JournalFileError) -> Outcome {
      .unsupported
    }
  #else
    // Glibc's `O_TMPFILE` is a macro that Swift does not see: `__O_TMPFILE | O_DIRECTORY`.
    private static let temporary: Int32 = 0o20_000_000 | O_DIRECTORY

    /// Creates a file without a name, fills it, and then gives it its name.
    static func create(
      at path: String,
      _ fill: (OpenFile) throws(JournalFileError) -> Void
    ) throws(JournalFileError) -> Outcome {
      guard let file = try? OpenFile(directory(of: path), O_RDWR | temporary) else {
        return .unsupported
      }
      try fill(file)
      let source = "/proc/self/fd/\(file.descriptor)"
      guard linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 else {
        return errno == EEXIST ? .exists : .unsupported
      }
      synchronizeDirectory(of: path)
      return .created(file)
    }
  #endif

  /// Copies a file of any size to a name that is free.
  ///
  /// Where the system can't make a copy appear as a whole, a process that is killed during the copy
  /// leaves the beginning of one.
  ///
  /// - Returns: False if the name is taken.
  static func copy(_ file: OpenFile, to name: String) throws(JournalFileError) -> Bool {
    // Most names that are taken are detected here, without copying.
    var status = stat()
    if fstatat(AT_FDCWD, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return false }
    #if canImport(Darwin)
      // A clone appears as a whole.
      if fclonefileat(file.descriptor, AT_FDCWD, name, 0) == 0 {
        synchronizeDirectory(of: name)
        return true
      }
      if errno == EEXIST { return false }
    #endif
    let outcome = try create(at: name) { copy throws(JournalFileError) in
      try copyBytes(of: file, to: copy)
    }
    switch outcome {
    case .created: return true
    case .exists: return false
    case .unsupported: return try copyUnderName(file, to: name)
    }
  }

  /// Copies a file where the system can't make the copy appear as a whole.
  ///
  /// - Returns: False if the name is taken.
  static func copyUnderName(
    _ file: OpenFile,
    to name: String
  ) throws(JournalFileError) -> Bool {
    do throws(JournalFileError) {
      let copy = try OpenFile(name, O_RDWR | O_CREAT | O_EXCL)
      do throws(JournalFileError) {
        try copyBytes(of: file, to: copy)
      } catch {
        unlink(name)
        throw error
      }
    } catch {
      if error.errno == EEXIST { return false }
      throw error
    }
    synchronizeDirectory(of: name)
    return true
  }

  private static func copyBytes(of file: OpenFile, to copy: OpenFile) throws(JournalFileError) {
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    var offset = 0
    while true {
      let bytes = try file.read(zeros.count, at: offset)
      if bytes.isEmpty { break }
      // A hole remains a hole, and takes neither space nor time.
      if memcmp(bytes, zeros, bytes.count) != 0 { try copy.write(bytes, at: offset) }
      offset += bytes.count
    }
    try copy.setSize(offset)
    try copy.synchronize()
  }
}
