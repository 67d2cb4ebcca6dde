#if Services
  import LifecycleSupport
  import Synchronization

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

    /// Whether the last message found no room: the next one then does not wait for it. So a manager
    /// that reads nothing delays the program once.
    private let isUnread = Atomic(false)

    let descriptor: CInt
    let address: NotifyAddress
    /// A child by fork(2) has a copy of the socket, but is not the service.
    private let process = getpid()

    init(_ address: NotifyAddress) throws(SystemdNotifier.Failure) {
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
      let isUnread = isUnread.load(ordering: .relaxed)
      let flags = Self.flags | (isUnread ? CInt(MSG_DONTWAIT) : 0)
      let end = ContinuousClock.now + .seconds(Self.sendTime.tv_sec)
      var failure: CInt?
      repeat {
        failure = address.withSocketAddress { pointer, length in
          sendto(descriptor, message, message.count, flags, pointer, length) < 0 ? errno : nil
        }
        // A wait that a signal interrupts begins anew.
      } while failure == EINTR && ContinuousClock.now < end
      if failure == EINTR { failure = EAGAIN }
      self.isUnread.store(failure == EAGAIN, ordering: .relaxed)
      return failure
    }

    #if os(Linux)
      private static let flags = CInt(MSG_NOSIGNAL)
    #else
      private static let flags: CInt = 0
    #endif
  }
#endif
