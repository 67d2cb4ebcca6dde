import CLifecycleShims

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reading end of the pipe that records signals and wakes the thread of the process.
struct SignalRecords {
  let reader: Int32

  /// Opens the only pipe of the process.
  init() throws(ProcessSignalSource.StartError) {
    reader = lifecycle_pipe_open()
    guard reader >= 0 else { throw .init(step: .pipe, errno: errno) }
  }

  /// Takes all records from the pipe.
  ///
  /// A child that was forked from this process writes to the same pipe; its records are ignored.
  func takeAll(_ body: (JobControlSignal, SignalMoment) -> Void) {
    let own = getpid()
    var records = [lifecycle_record](repeating: lifecycle_record(), count: 64)
    while true {
      let size = MemoryLayout<lifecycle_record>.stride
      let count = records.withUnsafeMutableBytes { read(reader, $0.baseAddress, $0.count) } / size
      guard count > 0 else { return }
      for record in records.prefix(count) where record.pid == own {
        guard let signal = JobControlSignal(number: record.signo) else { continue }
        body(signal, SignalMoment(record))
      }
    }
  }

  func close() {
    lifecycle_pipe_close(reader)
  }
}
