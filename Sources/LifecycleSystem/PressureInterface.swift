import LifecycleSupport

#if canImport(FoundationEssentials)
  import struct FoundationEssentials.Data
#else
  import struct Foundation.Data
#endif

/// The pressure interfaces to try, in order.
enum PressurePlan: Hashable, Sendable {
  case interfaces([PressureInterface])
  /// The service manager asks the process not to watch.
  case disabled

  /// Creates the plan of a process.
  ///
  /// The rules come from systemd's *Memory Pressure Handling*
  /// (https://systemd.io/MEMORY_PRESSURE).
  ///
  /// - Parameters:
  ///   - watch: The variable `MEMORY_PRESSURE_WATCH`.
  ///   - write: The variable `MEMORY_PRESSURE_WRITE`.
  ///   - group: The folder of the process's control group.
  init(watch: String?, write: String?, group: String?) {
    if watch == "/dev/null" {
      self = .disabled
      return
    }
    var interfaces: [PressureInterface] = []
    if let watch, watch.hasPrefix("/") {
      let bytes = write.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
      interfaces.append(.init(path: watch, triggers: [.init(chosen: bytes)], text: watch))
    }
    if let group {
      let path = "\(group)/memory.pressure"
      interfaces.append(
        .init(path: path, triggers: PressureTrigger.standard, text: "the control group")
      )
    }
    let system = "/proc/pressure/memory"
    interfaces.append(.init(path: system, triggers: PressureTrigger.standard, text: system))
    self = .interfaces(interfaces)
  }
}

/// A pressure interface of the kernel or the service manager: a file, and what to write to it.
struct PressureInterface: Hashable, Sendable {
  var path: String
  var triggers: [PressureTrigger]
  /// A description of the interface.
  var text: String
}

/// A threshold that is written to a pressure file.
struct PressureTrigger: Hashable, Sendable {
  /// The level that it stands for.
  var level: MemoryPressureLevel
  /// The bytes to write; empty for none.
  var bytes: [UInt8]

  /// The thresholds of the levels in microseconds, in windows of 2 s, which need no privilege.
  static let standard = [
    Self(.low, "some 70000 2000000"), Self(.medium, "some 100000 2000000"),
    Self(.critical, "full 100000 2000000"),
  ]

  private init(_ level: MemoryPressureLevel, _ text: String) {
    self.level = level
    // The kernel replaces the last byte by a zero.
    bytes = Array(text.utf8) + [0]
  }

  /// Creates the trigger of bytes that the service manager has chosen, and guesses its level.
  init(chosen bytes: [UInt8]) {
    let words = bytes.split { $0 <= 32 }.map { String(decoding: $0, as: UTF8.self) }
    let microseconds = words.dropFirst().first.flatMap { Int($0) }
    level =
      if words.first == "full" {
        .critical
      } else if let microseconds, microseconds < 100_000 {
        .low
      } else {
        .medium
      }
    self.bytes = bytes
  }
}

#if os(Linux)

  /// The open descriptors of one interface, one for each trigger.
  struct PressureFiles {
    /// The events of poll(2) by which pressure is reported.
    private(set) var events = Int16(POLLPRI)
    private var files: [(level: MemoryPressureLevel, descriptor: Int32)] = []

    /// Opens an interface, and writes its triggers.
    init(_ interface: PressureInterface) throws(SystemFailure) {
      do throws(SystemFailure) {
        for trigger in interface.triggers {
          let (descriptor, events) = try Self.open(interface.path)
          self.events = events
          files.append((trigger.level, descriptor))
          try Self.write(trigger.bytes, to: descriptor, interface.path)
        }
      } catch {
        close()
        throw error
      }
    }

    /// The descriptor that reports a level; nil if there is none.
    func descriptor(of level: MemoryPressureLevel) -> Int32? {
      files.first { $0.level == level }?.descriptor
    }

    func close() {
      for file in files { SystemDescriptor.close(file.descriptor) }
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
      let descriptor = SystemDescriptor.localSocket(Platform.streamSocket)
      guard descriptor >= 0 else { throw SystemFailure(path) }
      // A service manager that accepts no connection must not delay the process.
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          systemConnect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard result == 0 else {
        let error = SystemFailure(path)
        SystemDescriptor.close(descriptor)
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
    let sent = send(descriptor, bytes, count, Platform.noSignal)
    return sent < 0 && errno == ENOTSOCK ? write(descriptor, bytes, count) : sent
  }

#endif
