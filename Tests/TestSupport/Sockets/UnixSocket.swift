public import Foundation

/// The calls that make a Unix socket of a test.
public enum UnixSocket {
  public enum Kind: Sendable {
    case stream, datagram
  }

  /// Creates a socket that programs do not inherit, and gives it a name: a path, or with a leading `@`
  /// an abstract one, which Linux has.
  public static func bind(_ kind: Kind, to name: String) throws -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { path in
      guard bytes.count <= path.count else { return false }
      path.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw POSIXError(.ENAMETOOLONG) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count)
    let descriptor = make(kind)
    guard descriptor >= 0 else { throw lastError() }
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.bind(descriptor, $0, length)
      }
    }
    guard result == 0 else {
      let error = lastError()
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// The error of the last call that failed.
  public static func lastError() -> POSIXError { POSIXError(.init(rawValue: errno) ?? .EIO) }

  private static func make(_ kind: Kind) -> CInt {
    #if os(Linux)
      let type = kind == .stream ? SOCK_STREAM : SOCK_DGRAM
      return socket(AF_UNIX, CInt(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, kind == .stream ? SOCK_STREAM : SOCK_DGRAM, 0)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return descriptor
    #endif
  }
}
