import CLifecycleShims
import LifecycleSupport

/// The reading end of the pipe that records signals and wakes the thread of the process.
final class SignalRecords: Sendable {
  let reader: Int32
  private let parser = Locked(SignalRecordParser())

  /// Opens the only pipe of the process.
  init() throws(ProcessSignalSource.StartError) {
    var ends: [Int32] = [-1, -1]
    guard lifecycle_pipe_open(&ends) == 0 else { throw .init(step: .pipe, errno: errno) }
    let reader = SystemDescriptor.aboveStreams(ends[0])
    let writer = SystemDescriptor.aboveStreams(ends[1])
    guard reader >= 0, writer >= 0 else {
      let failure = errno
      for end in [reader, writer] where end >= 0 { systemClose(end) }
      throw .init(step: .pipe, errno: failure)
    }
    self.reader = reader
    lifecycle_pipe_use(reader, writer)
  }

  /// Takes all records from the pipe.
  ///
  /// A child by fork(2) that no handler of `pthread_atfork` has seen writes to the same pipe; its
  /// records are ignored.
  func takeAll(_ body: (JobControlSignal, SignalMoment) -> Void) {
    let own = getpid()
    var bytes = [UInt8](repeating: 0, count: 64 * MemoryLayout<lifecycle_record>.size)
    while true {
      let count = read(reader, &bytes, bytes.count)
      guard count > 0 else { return }
      let records = parser.withLock { $0.take(bytes.prefix(count)) }
      for record in records where record.pid == own {
        guard let signal = JobControlSignal(number: record.signo) else { continue }
        body(signal, SignalMoment(record))
      }
    }
  }

  func close() {
    lifecycle_pipe_close()
  }
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }

/// Finds the records among the bytes of the pipe.
///
/// A record is written in one piece, but may be read in several. Bytes of others, who write to a
/// descriptor that is not theirs, lie between two records.
struct SignalRecordParser {
  private var rest: [UInt8] = []

  /// Adds bytes that were read, and returns the records that are complete.
  mutating func take(_ bytes: some Collection<UInt8>) -> [lifecycle_record] {
    rest += bytes
    let size = MemoryLayout<lifecycle_record>.size
    var records: [lifecycle_record] = []
    var offset = 0
    rest.withUnsafeBytes { bytes in
      while offset + size <= bytes.count {
        let record = bytes.loadUnaligned(fromByteOffset: offset, as: lifecycle_record.self)
        let isRecord = record.mark == LIFECYCLE_RECORD_MARK
        if isRecord { records.append(record) }
        offset += isRecord ? size : 1
      }
    }
    rest.removeFirst(offset)
    return records
  }
}
