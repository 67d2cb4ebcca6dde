#if Services
  import IssueReporting

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension SystemdNotifier {
    /// An error that indicates why the service manager was not notified.
    ///
    /// The bus and the program continue without it.
    public struct Failure: Error, Hashable, Sendable {
      /// The reason why the service manager was not notified.
      public enum Reason: Hashable, Sendable {
        /// `$NOTIFY_SOCKET` is neither a path nor an abstract name. No message is sent.
        case unsupportedAddress(String)
        /// `$NOTIFY_SOCKET` is longer than the number of bytes that a socket's name may have. No
        /// message is sent.
        case nameTooLong(String, limit: Int)
        /// The socket cannot be opened, with the system's error number. No message is sent.
        case socket(errno: Int32)
        /// A message, one field a line, did not reach the manager, with the system's error number.
        case message(String, errno: Int32)
      }

      /// The reason why the service manager was not notified.
      public var reason: Reason

      init(_ reason: Reason) { self.reason = reason }
    }
  }

  extension SystemdNotifier.Failure: CustomStringConvertible {
    /// A description of the reason and the remedy.
    public var description: String {
      switch reason {
      case .unsupportedAddress(let name):
        """
        $NOTIFY_SOCKET is "\(name)", which is neither a path that begins with "/" nor an abstract \
        name that begins with "@", so the service manager is not notified. Pass one of these, or \
        unset the variable.
        """
      case .nameTooLong(let name, let limit):
        """
        $NOTIFY_SOCKET has \(name.utf8.count) bytes, but the name of a socket has at most \(limit), \
        so the service manager is not notified. Choose a shorter path, or an abstract name: \
        "\(name)".
        """
      case .socket(let errno):
        """
        The socket for the service manager can't be opened, so it is not notified: \
        \(String(cString: strerror(errno))). Close file descriptors, or raise their limit \
        (LimitNOFILE=).
        """
      case .message(let message, let errno):
        """
        The service manager could not be notified of \
        "\(message.split(separator: "\n").joined(separator: ", "))": \
        \(String(cString: strerror(errno))). \(Self.remedy(errno))
        """
      }
    }

    private static func remedy(_ errno: Int32) -> String {
      switch errno {
      case EAGAIN:
        """
        Its queue was full for a second. Check that it reads $NOTIFY_SOCKET, and send fewer \
        messages, such as status texts.
        """
      case EMSGSIZE: "Shorten the status text."
      default:
        """
        Check that $NOTIFY_SOCKET names a socket that exists where the process runs, and that the \
        process may write to it.
        """
      }
    }
  }

  extension SystemdNotifier.Failure {
    /// Reports the failure as an issue.
    public func report() {
      reportIssue(description)
    }
  }
#endif
