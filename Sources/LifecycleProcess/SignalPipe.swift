import CLifecycleShims
import LifecycleSupport

/// The pipe through which signal handlers pass signals to the thread of the process, and by which
/// any thread wakes it.
final class SignalPipe: Sendable {
  /// A signal, and the moment at which its handler ran.
  typealias Signal = (signal: JobControlSignal, moment: SignalMoment)

  let reader: Int32
  private let parser = Locked(SignalMessageParser())

  /// Opens the only pipe of the process.
  init() throws(ProcessSignalSource.StartError) {
    var ends: [Int32] = [-1, -1]
    guard lifecycle_pipe_open(&ends) == 0 else { throw .init(step: .pipe, errno: errno) }
    let reader = SystemDescriptor.aboveStreams(ends[0])
    let writer = SystemDescriptor.aboveStreams(ends[1])
    guard reader >= 0, writer >= 0 else {
      let failure = errno
      for end in [reader, writer] where end >= 0 { SystemDescriptor.close(end) }
      throw .init(step: .pipe, errno: failure)
    }
    self.reader = reader
    lifecycle_pipe_use(reader, writer)
  }

  /// Takes all messages from the pipe, discards wake-ups, and returns the signals.
  ///
  /// A child by fork(2) that no handler of `pthread_atfork` has seen writes to the same pipe; its
  /// messages are ignored.
  func takeAll() -> [Signal] {
    let own = getpid()
    var bytes = [UInt8](repeating: 0, count: 64 * MemoryLayout<lifecycle_message>.size)
    var signals: [Signal] = []
    while true {
      let count = read(reader, &bytes, bytes.count)
      guard count > 0 else { return signals }
      let messages = parser.withLock { $0.take(bytes.prefix(count)) }
      for message in messages where message.pid == own {
        let signal = JobControlSignal.allCases.first { $0.number == message.signo }
        if let signal { signals.append((signal, SignalMoment(message))) }
      }
    }
  }

  func close() {
    lifecycle_pipe_close()
  }
}

/// Finds the messages among the bytes of the pipe.
///
/// A message is written in one piece, but may be read in several. Bytes of others, who write to a
/// descriptor that is not theirs, lie between two messages.
struct SignalMessageParser {
  private var rest: [UInt8] = []

  /// Adds bytes that were read, and returns the messages that are complete.
  mutating func take(_ bytes: some Collection<UInt8>) -> [lifecycle_message] {
    rest += bytes
    let size = MemoryLayout<lifecycle_message>.size
    var messages: [lifecycle_message] = []
    var offset = 0
    rest.withUnsafeBytes { bytes in
      // In bounds, and a message of any bytes is valid: it consists of integers.
      while offset + size <= bytes.count {
        let message = bytes.loadUnaligned(fromByteOffset: offset, as: lifecycle_message.self)
        let isMessage = message.mark == LIFECYCLE_MESSAGE_MARK
        if isMessage { messages.append(message) }
        offset += isMessage ? size : 1
      }
    }
    rest.removeFirst(offset)
    return messages
  }
}
