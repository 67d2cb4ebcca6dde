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
    /// An error that indicates why a message did not reach the service manager.
    public struct SendError: Error, Hashable, Sendable {
      /// The message, one field a line.
      public var message: String
      /// The system's error number.
      public var errno: Int32
    }
  }

  extension SystemdNotifier.SendError: CustomStringConvertible {
    /// A description of the message, the reason and the remedy.
    public var description: String {
      """
      The service manager could not be notified of \
      "\(message.split(separator: "\n").joined(separator: ", "))": \
      \(String(cString: strerror(errno))). \(remedy)
      """
    }

    private var remedy: String {
      switch errno {
      case EAGAIN: "Its queue was full for a second: send fewer messages, such as status texts."
      case EMSGSIZE: "Shorten the status text."
      default:
        """
        Check that $NOTIFY_SOCKET names a socket that exists where the process runs, and that the \
        process may write to it.
        """
      }
    }
  }

  extension SystemdNotifier.SendError {
    /// Reports the error as an issue.
    public func report() {
      reportIssue(description)
    }
  }
#endif
