#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Short files of the kernel.
  enum SystemFile {
    /// The contents of a file, up to 64 KiB.
    static func text(_ path: String) throws(SystemFailure) -> String {
      let descriptor = try openForReading(path)
      defer { close(descriptor) }
      guard let text = text(of: descriptor) else { throw SystemFailure(path) }
      return text
    }

    /// Opens a file, which the caller closes.
    static func openForReading(_ path: String) throws(SystemFailure) -> Int32 {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemFailure(path) }
      return descriptor
    }

    /// The contents of an open file from its beginning; nil if it can't be read.
    static func text(of descriptor: Int32) -> String? {
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
        var filled = 0
        while filled < buffer.count {
          let rest = buffer.baseAddress.map { $0 + filled }
          let count = pread(descriptor, rest, buffer.count - filled, off_t(filled))
          if count < 0, errno == EINTR { continue }
          guard count >= 0 else { return nil }
          if count == 0 { break }
          filled += count
        }
        return String(decoding: buffer.prefix(filled), as: UTF8.self)
      }
    }

    /// The number after a key at the beginning of a line, as in `frozen 0`; nil if there is none.
    static func number(_ key: String, in text: String) -> Int64? {
      let line = text.split(separator: "\n").first { $0.hasPrefix("\(key) ") }
      return line.flatMap { Int64($0.dropFirst(key.utf8.count + 1)) }
    }

    /// Closes a descriptor.
    static func close(_ descriptor: Int32) {
      #if canImport(Glibc)
        _ = Glibc.close(descriptor)
      #else
        _ = Musl.close(descriptor)
      #endif
    }

    /// The number of the system's last error.
    static var lastErrorNumber: Int32 { errno }
  }
#endif
