#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Signals that are pending for one thread of the process which blocks them for good.
///
/// On Linux, Dispatch's handler passes every signal on to Dispatch's own thread, where it waits for
/// a source to read it. Without a source it waits for ever.
enum StrandedSignals {
  /// How long a signal may be on its way to a live source, in microseconds.
  private static let grace: UInt32 = 10_000

  /// Discards those of the signals that are stranded, and returns them.
  static func take(_ signals: [JobControlSignal]) -> [JobControlSignal] {
    #if canImport(Darwin)
      return []  // Dispatch has no handler there
    #else
      guard signals.contains(where: { isPending($0, in: pendingMask()) }) else { return [] }
      usleep(grace)
      let mask = pendingMask()
      let stranded = signals.filter { isPending($0, in: mask) }
      for disposition in stranded.map(SignalDisposition.init(current:)) {
        // POSIX: ignoring a signal discards the pending ones, in every thread.
        signal(disposition.signal.number, SIG_IGN)
        disposition.install()
      }
      return stranded
    #endif
  }

  #if !canImport(Darwin)
    private static func isPending(_ signal: JobControlSignal, in mask: UInt64) -> Bool {
      mask & 1 << UInt64(signal.number - 1) != 0
    }

    /// The signals that are pending for single threads, as proc(5) shows them.
    private static func pendingMask() -> UInt64 {
      guard let directory = opendir("/proc/self/task") else { return 0 }
      defer { closedir(directory) }
      var mask: UInt64 = 0
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let thread = UInt32(name) else { continue }
        mask |= pendingMask(ofThread: thread)
      }
      return mask
    }

    private static func pendingMask(ofThread thread: UInt32) -> UInt64 {
      let descriptor = open("/proc/self/task/\(thread)/status", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return 0 }
      defer { close(descriptor) }
      let status = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
      }
      let line = status.split(separator: "\n").first { $0.hasPrefix("SigPnd:") }
      return line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
    }
  #endif
}
