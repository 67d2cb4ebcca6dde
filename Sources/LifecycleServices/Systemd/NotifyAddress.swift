#if Services
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The address in `$NOTIFY_SOCKET`: a path, or an abstract name that begins with `@`.
  struct NotifyAddress: Hashable, Sendable {
    /// The bytes of the name; those of an abstract name begin with zero.
    let bytes: [UInt8]

    /// The number of bytes that an address has room for.
    static let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    init(_ name: String) throws(SystemdNotifier.Failure) {
      switch name.utf8.first {
      case UInt8(ascii: "@"):
        bytes = [0] + name.utf8.dropFirst()
        // Its length is part of the address, so it needs no zero at the end.
        guard bytes.count <= Self.limit else { throw .init(.nameTooLong(name, limit: Self.limit)) }
      case UInt8(ascii: "/"):
        bytes = Array(name.utf8)
        guard bytes.count < Self.limit else {
          throw .init(.nameTooLong(name, limit: Self.limit - 1))
        }
      default:
        throw .init(.unsupportedAddress(name))
      }
    }

    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result
    {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
      let terminator = bytes.first == 0 ? 0 : 1
      return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(offset + bytes.count + terminator))
        }
      }
    }
  }
#endif
