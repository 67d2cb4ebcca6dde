#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Files that appear under their name with all their bytes, whenever the process is killed.
enum WholeFile {
  enum Outcome {
    case created(OpenFile)
    /// The name is taken.
    case exists
    /// The system, or the file system, can't do that.
    case unsupported
  }

  #if canImport(Darwin)
    static func create(
      at path: String,
      _ fill: (OpenFile) throws(SystemError) -> Void
    ) throws(SystemError) -> Outcome {
      .unsupported
    }
  #else
    // Glibc's `O_TMPFILE` is a macro that Swift does not see: `__O_TMPFILE | O_DIRECTORY`.
    private static let temporary: Int32 = 0o20_000_000 | O_DIRECTORY

    /// Fills a file that has no name, then gives it one.
    static func create(
      at path: String,
      _ fill: (OpenFile) throws(SystemError) -> Void
    ) throws(SystemError) -> Outcome {
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

  /// Copies a file, of any size, to the first name that is free: `PATH.damaged`, `PATH.damaged-2`,
  /// ….
  ///
  /// Where the system can't make a copy appear as a whole, a process that is killed meanwhile
  /// leaves the beginning of one.
  ///
  /// - Returns: The name.
  static func setAside(_ file: OpenFile, of path: String) throws(SystemError) -> String {
    var number = 1
    while true {
      let name = path + (number == 1 ? ".damaged" : ".damaged-\(number)")
      if try copy(file, to: name) { return name }
      number += 1
    }
  }

  /// False if the name is taken.
  private static func copy(_ file: OpenFile, to name: String) throws(SystemError) -> Bool {
    // Most names that are taken are found so, without copying.
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
    let outcome = try create(at: name) { copy throws(SystemError) in
      try copyBytes(of: file, to: copy)
    }
    switch outcome {
    case .created: return true
    case .exists: return false
    case .unsupported: return try copyUnderName(file, to: name)
    }
  }

  private static func copyUnderName(
    _ file: OpenFile,
    to name: String
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      let copy = try OpenFile(name, O_RDWR | O_CREAT | O_EXCL)
      do throws(SystemError) {
        try copyBytes(of: file, to: copy)
      } catch {
        unlink(name)
        throw error
      }
    } catch {
      if error.code == EEXIST { return false }
      throw error
    }
    synchronizeDirectory(of: name)
    return true
  }

  private static func copyBytes(of file: OpenFile, to copy: OpenFile) throws(SystemError) {
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    var offset = 0
    while true {
      let bytes = try file.read(zeros.count, at: offset)
      if bytes.isEmpty { break }
      // A hole stays one, and takes neither room nor time.
      if memcmp(bytes, zeros, bytes.count) != 0 { try copy.write(bytes, at: offset) }
      offset += bytes.count
    }
    try copy.setSize(offset)
    try copy.synchronize()
  }
}
