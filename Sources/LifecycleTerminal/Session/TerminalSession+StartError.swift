import LifecycleSupport

extension TerminalSession {
  /// An error that indicates why a session cannot begin.
  ///
  /// The terminal is as it was before.
  public enum StartError: Error, Hashable, Sendable {
    /// The process has no controlling terminal, or it can't be opened. The value is the system's
    /// error number.
    case noTerminal(errno: Int32)
    /// The process has another session, which is not closed.
    case secondSession
  }
}

extension TerminalSession.StartError: CustomStringConvertible {
  /// A description of the reason and the remedy.
  public var description: String {
    switch self {
    case .noTerminal(let errno):
      """
      The controlling terminal of the process can't be opened: \(String(cString: strerror(errno))). \
      Start the program from a shell in a terminal, or run without a terminal session.
      """
    case .secondSession:
      """
      The process already has a terminal session, and its terminal has only one owner. Close the \
      first session, or share it.
      """
    }
  }
}
