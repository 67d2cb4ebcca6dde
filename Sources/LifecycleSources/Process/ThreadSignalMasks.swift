#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if !canImport(Darwin)
  /// The signals of all threads of the process, as proc(5) shows them.
  enum ThreadSignalMasks {
    /// Returns true if the signal is pending for a single thread, which blocks it.
    ///
    /// Dispatch's handler passes every signal to Dispatch's own thread, where it waits for a source
    /// to read it. Without a source, it waits forever.
    static func isPending(_ signal: JobControlSignal) -> Bool {
      masks("SigPnd").contains { $0 & bit(signal) != 0 }
    }

    /// Returns true if there is no thread on which a handler of the signal could run.
    static func isBlockedEverywhere(_ signal: JobControlSignal) -> Bool {
      masks("SigBlk").allSatisfy { $0 & bit(signal) != 0 }
    }

    private static func bit(_ signal: JobControlSignal) -> UInt64 {
      1 << UInt64(signal.number - 1)
    }

    private static func masks(_ name: String) -> [UInt64] {
      guard let directory = opendir("/proc/self/task") else { return [] }
      defer { closedir(directory) }
      var masks: [UInt64] = []
      while let entry = readdir(directory) {
        let file = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let thread = UInt32(file), let mask = mask(name, ofThread: thread) else { continue }
        masks.append(mask)
      }
      return masks
    }

    private static func mask(_ name: String, ofThread thread: UInt32) -> UInt64? {
      let descriptor = open("/proc/self/task/\(thread)/status", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      let status = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
      }
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      return line.flatMap { UInt64($0.dropFirst(name.count + 1).drop { $0 == "\t" }, radix: 16) }
    }
  }
#endif
