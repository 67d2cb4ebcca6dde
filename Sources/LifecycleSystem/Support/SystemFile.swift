#if os(Linux)
  import LifecycleSupport

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
      guard let text = KernelFile.text(of: descriptor) else { throw SystemFailure(path) }
      return text
    }

    /// Opens a file, which the caller closes.
    static func openForReading(_ path: String) throws(SystemFailure) -> Int32 {
      let descriptor = SystemDescriptor.open(path, O_RDONLY)
      guard descriptor >= 0 else { throw SystemFailure(path) }
      return descriptor
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
