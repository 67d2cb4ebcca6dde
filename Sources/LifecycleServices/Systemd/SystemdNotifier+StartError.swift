#if Services
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension SystemdNotifier {
    /// An error that indicates why the service manager cannot be notified.
    ///
    /// The bus continues without it.
    public struct StartError: Error, Hashable, Sendable {
      /// The reason why the service manager cannot be notified.
      public enum Reason: Hashable, Sendable {
        /// `$NOTIFY_SOCKET` is neither a path nor an abstract name.
        case unsupportedAddress(String)
        /// `$NOTIFY_SOCKET` is longer than the number of bytes that a socket's name may have.
        case nameTooLong(String, limit: Int)
        /// The socket cannot be opened, with the system's error number.
        case socket(errno: Int32)
      }

      /// The reason why the service manager cannot be notified.
      public var reason: Reason

      init(_ reason: Reason) { self.reason = reason }
    }
  }

  extension SystemdNotifier.StartError: CustomStringConvertible {
    /// A description of the reason and the remedy.
    public var description: String {
      switch reason {
      case .unsupportedAddress(let name):
        """
        $NOTIFY_SOCKET is "\(name)", which is neither a path that begins with "/" nor an abstract \
        name that begins with "@". Pass one of these, or unset the variable.
        """
      case .nameTooLong(let name, let limit):
        """
        $NOTIFY_SOCKET has \(name.utf8.count) bytes, but the name of a socket has at most \(limit). \
        Choose a shorter path, or an abstract name: "\(name)".
        """
      case .socket(let errno):
        """
        The socket for the service manager can't be opened: \(String(cString: strerror(errno))). \
        Close file descriptors, or raise their limit (LimitNOFILE=).
        """
      }
    }
  }
#endif
