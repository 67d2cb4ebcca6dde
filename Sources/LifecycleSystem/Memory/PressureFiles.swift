#if os(Linux)
  import LifecycleSupport

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The open descriptors of one place, one for each trigger.
  struct PressureFiles: Hashable {
    struct File: Hashable {
      var descriptor: Int32
      var level: MemoryPressureLevel
    }

    /// The events of poll(2) by which pressure is reported.
    private(set) var events = Int16(POLLPRI)
    private(set) var files: [File] = []

    /// Opens a place, and writes its triggers.
    init(_ place: PressurePlace) throws(SystemFailure) {
      do throws(SystemFailure) {
        for trigger in place.triggers {
          let (descriptor, events) = try Self.open(place.path)
          self.events = events
          files.append(File(descriptor: descriptor, level: trigger.level))
          try Self.write(trigger.bytes, to: descriptor, place.path)
        }
      } catch {
        close()
        throw error
      }
    }

    func close() {
      for file in files { SystemFile.close(file.descriptor) }
    }

    /// Takes what a pipe or a socket has sent; returns false at its end.
    static func drain(_ descriptor: Int32) -> Bool {
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          if count < 0, errno == EINTR { continue }
          if count <= 0 { return count < 0 && errno == EAGAIN }
        }
      }
    }

    private static func open(_ path: String) throws(SystemFailure) -> (Int32, events: Int16) {
      var status = stat()
      guard stat(path, &status) == 0 else { throw SystemFailure(path) }
      switch status.st_mode & S_IFMT {
      case S_IFSOCK: return (try connect(path), Int16(POLLIN))
      case S_IFIFO: return (try openFile(path), Int16(POLLIN))
      default: return (try openFile(path), Int16(POLLPRI))
      }
    }

    private static func openFile(_ path: String) throws(SystemFailure) -> Int32 {
      // The kernel asks for the right to write, also for a pipe: so it has no end while this
      // process has it open.
      let descriptor = SystemDescriptor.open(path, O_RDWR | O_NONBLOCK)
      guard descriptor >= 0 else { throw SystemFailure(path) }
      return descriptor
    }

    private static func connect(_ path: String) throws(SystemFailure) -> Int32 {
      #if canImport(Glibc)
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
      #else
        let kind = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC
      #endif
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array(path.utf8)
      let fits = withUnsafeMutableBytes(of: &address.sun_path) { target in
        guard bytes.count < target.count else { return false }
        target.copyBytes(from: bytes)
        return true
      }
      guard fits else {
        throw SystemFailure(path, reason: "\(path) is too long a name for a socket")
      }
      let descriptor = SystemDescriptor.aboveStreams(socket(AF_UNIX, Int32(kind), 0))
      guard descriptor >= 0 else { throw SystemFailure(path) }
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard result == 0 else {
        let error = SystemFailure(path)
        SystemFile.close(descriptor)
        throw error
      }
      return descriptor
    }

    private static func write(
      _ bytes: [UInt8],
      to descriptor: Int32,
      _ path: String
    ) throws(SystemFailure) {
      guard !bytes.isEmpty else { return }
      guard systemWrite(descriptor, bytes, bytes.count) == bytes.count else {
        throw SystemFailure(path)
      }
    }
  }

  private func systemConnect(
    _ descriptor: Int32,
    _ address: UnsafePointer<sockaddr>,
    _ size: socklen_t
  ) -> Int32 {
    connect(descriptor, address, size)
  }

  private func systemWrite(_ descriptor: Int32, _ bytes: [UInt8], _ count: Int) -> Int {
    // With the other end of a socket gone, write(2) would end the process by SIGPIPE.
    let sent = send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    return sent < 0 && errno == ENOTSOCK ? write(descriptor, bytes, count) : sent
  }
#endif
