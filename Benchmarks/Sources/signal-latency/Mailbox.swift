import CSignalPeers
import Glibc

/// The reading end of the FIFO that a child writes its records to.
///
/// It is read by itself, without the session's other descriptors: the echo of a typed Ctrl-Z would
/// wake the reader before the record comes.
final class Mailbox {
  /// What a wait came to.
  enum Delivery {
    case record(kind: Character, sent: Int64, arrived: Int64)
    case nothing
    case closed

    /// What it is, for an error.
    var text: String {
      switch self {
      case .record(let kind, _, _): "the record \"\(kind)\""
      case .nothing: "no record"
      case .closed: "the end of the pipe: the child has died"
      }
    }
  }

  /// What the child opens.
  let path: String
  private let directory: String
  private let descriptor: CInt

  init() throws(LatencyError) {
    var template = Array("/tmp/signal-latency-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .system("mkdtemp in /tmp", errno) }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = "\(directory)/records"
    guard mkfifo(path, 0o600) == 0 else { throw .system("mkfifo \(path)", errno) }
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open \(path)", errno) }
  }

  deinit {
    close(descriptor)
    unlink(path)
    rmdir(directory)
  }

  /// Waits for one record, at most so many seconds.
  func receive(within seconds: CInt) -> Delivery {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, seconds * 1_000) < 0, errno == EINTR {}
    var record = signal_record()
    let count = read(descriptor, &record, MemoryLayout<signal_record>.size)
    let arrived = monotonicNanoseconds()
    guard count > 0 else { return count == 0 ? .closed : .nothing }
    let kind = Character(Unicode.Scalar(UInt8(truncatingIfNeeded: record.kind)))
    return .record(kind: kind, sent: record.nanoseconds, arrived: arrived)
  }
}

/// Now, on the clock that the children use too.
func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
