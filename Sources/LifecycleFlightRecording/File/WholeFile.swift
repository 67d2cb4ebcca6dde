import LifecycleSupport

/// Replaces files by ones that appear under their name with all their bytes.
enum WholeFile {
  /// Creates or replaces a file; writes to what is neither a file nor a directory.
  static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    switch SystemFile.kind(at: path) {
    case .directory: throw SystemError(errno: EISDIR)
    case .pipe, .device: try SystemFile(path, O_WRONLY).append(bytes)
    case .regular: try replaceFile(try target(of: path), with: bytes)
    case nil: try replaceFile(path, with: bytes)
    }
  }

  private static func replaceFile(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let permissions = try? SystemFile(path, O_RDONLY).status.st_mode
    let (file, name) = try temporaryFile(beside: path)
    do throws(SystemError) {
      try file.append(bytes)
      if let permissions { try file.setPermissions(permissions) }
      try file.synchronize()
      guard rename(name, path) == 0 else { throw .current }
    } catch {
      unlink(name)
      throw error
    }
    // If the directory can't be opened, the durability of the name is left to the system.
    try? SystemFile(directory(of: path), O_RDONLY | O_DIRECTORY).synchronize()
  }

  /// Creates a file in the same directory, and so on the same drive.
  private static func temporaryFile(
    beside path: String
  ) throws(SystemError) -> (SystemFile, String) {
    for number in 1... {
      let name = "\(path).new-\(getpid())-\(number)"
      do throws(SystemError) {
        return (try SystemFile(name, O_WRONLY | O_CREAT | O_EXCL), name)
      } catch  where error.errno == EEXIST {}
    }
    throw SystemError(errno: EEXIST)
  }

  /// Returns the path of a file without symbolic links.
  private static func target(of path: String) throws(SystemError) -> String {
    guard let target = realpath(path, nil) else { throw .current }
    defer { free(target) }
    return String(cString: target)
  }
}
