import LifecycleSupport

/// Reads a file of recordings piece by piece, so that the memory depends on the longest line, not
/// on the size.
package struct FlightFileReader {
  /// A file without line feeds is no recording.
  private static let lineLimit = 1 << 30

  private let path: String
  private let file: SystemFile
  private var parser = FlightFileParser()
  /// The number of bytes that may follow.
  private var limit: Int
  private var hasEnded = false

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path of a file, or of a pipe.
  ///   - limit: The greatest size of the file in bytes.
  /// - Throws: A ``FlightFileError``; with `EFBIG` if the file is larger.
  package init(_ path: String, limit: Int = .max) throws(FlightFileError) {
    (self.path, self.limit) = (path, limit)
    do throws(SystemError) {
      switch SystemFile.kind(at: path) {
      // Opening a device may have side effects, and some never end.
      case .device: throw SystemError(errno: ENODEV)
      case .directory: throw SystemError(errno: EISDIR)
      case .regular, .pipe, nil: break
      }
      file = try SystemFile(path, O_RDONLY)
      guard try file.size <= limit else { throw SystemError(errno: EFBIG) }
    } catch {
      throw FlightFileError(reading: path, error)
    }
  }

  /// Returns what comes next in the file, which may be nothing; nil at its end.
  ///
  /// - Throws: A ``FlightFileError`` if the file can't be read; at its end, if no line is part of a
  ///   recording.
  package mutating func next() throws(FlightFileError) -> [FlightFileItem]? {
    if hasEnded { return nil }
    do throws(SystemError) {
      let bytes = try file.read(1 << 18)
      limit -= bytes.count
      guard limit >= 0, parser.rest.count <= Self.lineLimit else {
        throw SystemError(errno: EFBIG)
      }
      hasEnded = bytes.isEmpty
      parser.append(bytes)
    } catch {
      throw FlightFileError(reading: path, error)
    }
    if hasEnded { try parser.finish(path) }
    return parser.takeItems()
  }
}

extension FlightFileError {
  fileprivate init(reading path: String, _ error: SystemError) {
    self.init(error.errno == ENOENT ? .missing : .unreadable(errno: error.errno), path)
  }
}
