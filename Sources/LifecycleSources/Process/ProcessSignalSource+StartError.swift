#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ProcessSignalSource {
  /// Why the process' signals cannot be observed. The bus goes on without them.
  public struct StartError: Error, Hashable, Sendable {
    /// A step of starting.
    public enum Step: Hashable, Sendable {
      /// Opening the pipe that the signal handler writes to.
      case pipe
      /// Installing the handler of the signal with this POSIX name.
      case handler(signal: String)
      /// Starting the engine's thread.
      case thread
    }

    /// What failed.
    public var step: Step
    /// The system's error number.
    public var errno: Int32
  }
}

extension ProcessSignalSource.StartError: CustomStringConvertible {
  /// What failed, why, and what to do.
  public var description: String {
    let reason = String(cString: strerror(errno))
    return switch step {
    case .pipe:
      "Cannot open a pipe for the process' signals: \(reason). "
        + "Close file descriptors or raise their limit (ulimit -n)."
    case .handler(let signal):
      "Cannot install a handler for \(signal): \(reason). "
        + "Check that the sandbox or seccomp filter of the process allows sigaction."
    case .thread:
      "Cannot start the thread that handles the process' signals: \(reason). "
        + "Raise the limit of threads (ulimit -u, or the container's pids limit)."
    }
  }
}
