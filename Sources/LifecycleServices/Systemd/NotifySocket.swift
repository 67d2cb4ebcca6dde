#if Services
  import LifecycleSupport

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A datagram socket to the service manager. Thread-safe: the kernel keeps messages whole.
  final class NotifySocket: Sendable {
    /// The time for which a full queue of the manager may delay a message.
    private static let sendTime = timeval(tv_sec: 1, tv_usec: 0)

    let descriptor: CInt
    private let address: NotifyAddress
    /// A child by fork(2) has a copy of the socket, but is not the service.
    private let process = getpid()

    init(_ address: NotifyAddress) throws(SystemdNotifier.StartError) {
      self.address = address
      #if os(Linux)
        let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
      #else
        let type = SOCK_DGRAM
      #endif
      descriptor = SystemDescriptor.aboveStreams(socket(AF_UNIX, type, 0))
      guard descriptor >= 0 else { throw .init(.socket(errno: errno)) }
      var time = Self.sendTime
      setsockopt(
        descriptor,
        SOL_SOCKET,
        SO_SNDTIMEO,
        &time,
        socklen_t(MemoryLayout<timeval>.size)
      )
    }

    deinit { close(descriptor) }

    /// Sends one message.
    ///
    /// - Returns: The system's error number; nil if the manager has the message, and in a child.
    func send(_ fields: [String]) -> CInt? {
      guard process == getpid() else { return nil }
      let message = Array(fields.joined(separator: "\n").utf8)
      var result: Int
      repeat {
        result = address.withSocketAddress { pointer, length in
          sendto(descriptor, message, message.count, Self.flags, pointer, length)
        }
      } while result < 0 && errno == EINTR
      return result < 0 ? errno : nil
    }

    #if os(Linux)
      private static let flags = CInt(MSG_NOSIGNAL)
    #else
      private static let flags: CInt = 0
    #endif
  }
#endif
