import LifecycleSupport

/// Reads whole files.
enum InputFile {
  /// Returns the bytes of a file, or those that come through a pipe until it is closed.
  ///
  /// - Throws: `EFBIG` if there are more than `limit` bytes, which may be more than fit into
  ///   memory.
  static func bytes(at path: String, limit: Int = 1 << 30) throws(SystemError) -> [UInt8] {
    switch SystemFile.kind(at: path) {
    // Opening a device may have side effects, and some never end.
    case .device: throw SystemError(errno: ENODEV)
    case .directory: throw SystemError(errno: EISDIR)
    case .regular, .pipe, nil: break
    }
    let file = try SystemFile(path, O_RDONLY)
    var bytes: [UInt8] = []
    let size = try file.size
    guard size <= limit else { throw SystemError(errno: EFBIG) }
    bytes.reserveCapacity(size)
    while true {
      let step = try file.next(1 << 18)
      guard step.count <= limit - bytes.count else { throw SystemError(errno: EFBIG) }
      if step.isEmpty { return bytes }
      bytes += step
    }
  }
}
