import LifecycleSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if !canImport(Darwin)
  /// Files about this process, as proc(5) describes them.
  enum ProcessFiles {
    /// Returns the entries of a directory that are numbers; none if it can't be read.
    static func names(in directory: String) -> [UInt32] {
      let descriptor = SystemDescriptor.open(directory, O_RDONLY | O_DIRECTORY)
      guard descriptor >= 0 else { return [] }
      guard let stream = fdopendir(descriptor) else {
        close(descriptor)
        return []
      }
      defer { closedir(stream) }
      var names: [UInt32] = []
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if let number = UInt32(name) { names.append(number) }
      }
      return names
    }

    /// Returns the set of signals in a line `name:` of a file; nil if there is none.
    static func mask(_ name: String, in path: String) -> UInt64? {
      let lines = KernelFile.text(at: path)?.split(separator: "\n")
      let line = lines?.first { $0.hasPrefix("\(name):") }
      return line.flatMap { UInt64($0.dropFirst(name.count + 1).drop { $0 == "\t" }, radix: 16) }
    }
  }
#endif
