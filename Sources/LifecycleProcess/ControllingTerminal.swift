import LifecycleSupport

/// The terminal whose shell controls this process, independent of where standard input is
/// connected.
package struct ControllingTerminal: Sendable {
  /// The relation of the terminal to this process.
  package enum State: Hashable, Sendable {
    /// The terminal takes its input for this process, or there is no controlling terminal.
    case foreground
    /// Another process group has the terminal.
    case background
    /// The terminal was hung up, permanently.
    case gone
  }

  /// The descriptor of the terminal; nil without one.
  package let descriptor: Int32?
  private let stateWithout: State
  private let session = getsid(0)

  /// Opens the terminal. A process without a terminal, such as a daemon, counts as in the
  /// foreground.
  ///
  /// - Throws: The error of a system that is short of descriptors, as the state is not known then.
  package init() throws(ProcessSignalSource.StartError) {
    let descriptor = SystemDescriptor.open("/dev/tty", O_RDONLY)
    let failure = descriptor < 0 ? errno : 0
    if let shortage = ProcessSignalSource.StartError(opening: "/dev/tty", shortage: failure) {
      throw shortage
    }
    self.descriptor = descriptor >= 0 ? descriptor : nil
    stateWithout = failure == EIO ? .gone : .foreground
  }

  /// Uses a descriptor that is open, and that `close` closes.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    stateWithout = .foreground
  }

  /// The current state of the terminal.
  package var state: State { state(of: getpgrp()) }

  /// The current state of the terminal for a process group of the session.
  package func state(of group: Int32) -> State {
    guard let descriptor else { return stateWithout }
    let foreground = tcgetpgrp(descriptor)
    guard foreground < 0 else { return foreground == group ? .foreground : .background }
    // Either the process has left its session, as a daemon does, and so has no terminal. Or the
    // terminal hung up, or the session lost the terminal along with its leader, the shell.
    return errno == ENOTTY && getsid(0) != session ? .foreground : .gone
  }

  package func close() {
    if let descriptor { SystemDescriptor.close(descriptor) }
  }
}
