import LifecycleSupport

extension SystemFile {
  /// Creates a file, or replaces one at once, with all bytes; writes to what is neither a file nor
  /// a directory.
  static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    switch kind(at: path) {
    case .directory: throw SystemError(errno: EISDIR)
    case .pipe, .device: try SystemFile(path, O_WRONLY).write(bytes)
    case .regular: try replaceFile(target(of: path), with: bytes)
    case nil: try replaceFile(path, with: bytes)
    }
  }

  /// Returns the path of the file that a symbolic link leads to; the path as it is if it is no
  /// link.
  ///
  /// - Throws: `ENOENT` if the link leads nowhere, `EILSEQ` if the path of its target is not UTF-8.
  static func target(of path: String) throws(SystemError) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let resolved = realpath(path, nil) else { throw .current }
    defer { free(resolved) }
    let target = String(cString: resolved)
    guard strcmp(target, resolved) == 0 else { throw SystemError(errno: EILSEQ) }
    return target
  }

  private static func replaceFile(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let permissions = try? SystemFile(path, O_RDONLY).status.st_mode
    let (file, name) = try temporaryFile(beside: path)
    do throws(SystemError) {
      try file.write(bytes)
      if let permissions, fchmod(file.descriptor, permissions & 0o7777) != 0 { throw .current }
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
}
