#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The file that a track is read from.
package enum TrackFile {
  package enum Problem: Error, Hashable, CustomStringConvertible {
    case unreadable(path: String, errno: CInt)
    case tooLarge(path: String)
    case noFix(path: String, skippedSentences: Int)

    package var description: String {
      switch self {
      case .unreadable(let path, let errno):
        "cannot read the track \(path): \(String(cString: strerror(errno)))"
      case .tooLarge(let path):
        "cannot read the track \(path): it is larger than \(limit / 1_000_000) MB"
      case .noFix(let path, let skipped):
        "the track \(path) contains no position (sentences skipped: \(skipped))"
      }
    }
  }

  /// The number of bytes that a track may have: enough for some months.
  private static let limit = 256_000_000

  package static func read(_ path: String) throws(Problem) -> Track {
    let track = Track(nmea: try bytes(of: path))
    guard !track.fixes.isEmpty else {
      throw .noFix(path: path, skippedSentences: track.skippedSentences)
    }
    return track
  }

  private static func bytes(of path: String) throws(Problem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, errno: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = systemRead(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
        guard bytes.count <= limit else { throw .tooLarge(path: path) }
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw .unreadable(path: path, errno: errno)
      }
    }
  }
}

private let systemRead = read
