#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

#if !canImport(Darwin)
  /// Short files of the kernel, such as those of `/proc`.
  package enum KernelFile {
    /// Returns the contents of a file, up to 64 KiB; nil if it can't be read.
    package static func text(at path: String) -> String? {
      let descriptor = SystemDescriptor.open(path, O_RDONLY)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return text(of: descriptor)
    }

    /// Returns the contents of an open file from its beginning, up to 64 KiB; nil if it can't be
    /// read.
    package static func text(of descriptor: Int32) -> String? {
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
  }
#endif
