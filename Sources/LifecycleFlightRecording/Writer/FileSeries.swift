import LifecycleSupport

/// The file that is written, `PATH`, and the older ones: `PATH.1`, `PATH.2`, ….
struct FileSeries: Sendable {
  /// The path that the program has passed.
  let path: String
  /// The absolute path, which stays valid when the program changes its directory.
  let location: String
  /// The number of older files to keep.
  let olderCount: Int

  init(path: String, olderCount: Int) {
    self.path = path
    location = SystemDescriptor.absolutePath(path)
    self.olderCount = olderCount
  }

  /// Opens or creates the file, and locks it.
  ///
  /// - Throws: `EWOULDBLOCK` if another writer uses it.
  func open() throws(SystemError) -> SystemFile {
    // Another process may rename the file in the meantime.
    for _ in 0..<100 {
      switch SystemFile.kind(at: location) {
      case .directory: throw SystemError(errno: EISDIR)
      case .pipe, .device: throw SystemError(errno: ENODEV)
      case .regular, nil: break
      }
      let file = try SystemFile(location, O_RDWR | O_CREAT | O_APPEND)
      guard try file.lock() else { throw SystemError(errno: EWOULDBLOCK) }
      if file.isAt(location) { return file }
    }
    throw SystemError(errno: EAGAIN)
  }

  /// Gives the file the name of the newest older one, and each older one the next name.
  ///
  /// The oldest one is deleted. A kill at any moment leaves each file under one of the names.
  func rotate() throws(SystemError) {
    guard olderCount > 0 else {
      guard unlink(location) == 0 else { throw .current }
      return
    }
    // A rotation that failed halfway has left a gap, up to which there is space.
    let free = (1..<olderCount).first { SystemFile.kind(at: older($0)) == nil } ?? olderCount
    for number in stride(from: free - 1, to: 0, by: -1) {
      try move(older(number), to: older(number + 1))
    }
    try move(location, to: older(1))
  }

  private func older(_ number: Int) -> String { "\(location).\(number)" }

  private func move(_ name: String, to newName: String) throws(SystemError) {
    guard rename(name, newName) == 0 || errno == ENOENT else { throw .current }
  }
}
