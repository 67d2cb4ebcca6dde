import LifecycleSupport

extension ProcessSignalSource {
  /// An error that indicates why the process's signals, or what else its one thread waits for,
  /// cannot be observed.
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
      /// Opening a descriptor for this, such as the path of a file.
      case descriptor(of: String)
    }

    /// The step that failed.
    public var step: Step
    /// The system's error number.
    public var errno: Int32

    package init(step: Step, errno: Int32) {
      self.step = step
      self.errno = errno
    }

    /// Creates the error of a system that is short of descriptors or memory; nil if the error with
    /// which a descriptor can't be opened is another one.
    package init?(opening name: String, shortage errno: Int32) {
      guard [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errno) else { return nil }
      self.init(step: .descriptor(of: name), errno: errno)
    }
  }
}

extension ProcessSignalSource.StartError: CustomStringConvertible {
  /// A description of the failed step, the reason and the remedy.
  public var description: String {
    let reason = String(cString: strerror(errno))
    return switch step {
    case .pipe:
      """
      The pipe for the signals of the process can't be opened: \(reason). Close file descriptors, \
      or raise their limit (ulimit -n).
      """
    case .handler(let signal):
      """
      The handler for \(signal) can't be installed: \(reason). Check that the sandbox or seccomp \
      filter of the process allows sigaction.
      """
    case .thread where errno == ENOTSUP:
      """
      This process is a child by fork of one that had connected, and has none of its threads. \
      Connect after fork() or daemon(), or execute a program in the child.
      """
    case .thread:
      """
      The thread that handles the signals of the process can't be started: \(reason). Raise the \
      limit on threads (ulimit -u, or the container's pids limit).
      """
    case .descriptor(let name):
      """
      A descriptor of \(name) can't be opened: \(reason). \(remedy)
      """
    }
  }

  private var remedy: String {
    switch errno {
    case ENOMEM, ENOBUFS: "Release memory, or raise the limit of the container."
    case ENFILE: "Close file descriptors, or raise their limit in the system (sysctl fs.file-max)."
    default: "Close file descriptors, or raise their limit (ulimit -n)."
    }
  }
}
