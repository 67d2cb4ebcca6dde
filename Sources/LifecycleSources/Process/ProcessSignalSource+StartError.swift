#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ProcessSignalSource {
  /// An error that indicates why the process's signals cannot be observed.
  ///
  /// The bus continues without them.
  public struct StartError: Error, Hashable, Sendable {
    /// A step in starting the source.
    public enum Step: Hashable, Sendable {
      /// Opening the pipe that the signal handler writes to.
      case pipe
      /// Installing the handler of the signal with this POSIX name.
      case handler(signal: String)
      /// Starting the engine's thread.
      case thread
    }

    /// The step that failed.
    public var step: Step
    /// The system's error number.
    public var errno: Int32
  }
}

extension ProcessSignalSource.StartError: CustomStringConvertible {
  /// A description of the failed step, the reason and the remedy.
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
