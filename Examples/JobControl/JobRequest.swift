/// The program to launch as a job, and the conditions under which it starts.
public struct JobRequest: Hashable, Sendable {
  /// The relation of the job to the terminal.
  public enum Placement: Hashable, Sendable {
    /// A separate process group that owns the terminal, as after typing a command.
    case foreground

    /// A separate process group that does not own the terminal, as after `command &`.
    case background

    /// A new session without a controlling terminal, as for a daemon.
    case newSession

    /// A new session that is led by the job, with the terminal at this path. Its group is orphaned,
    /// like that of a program that a terminal emulator starts without a shell.
    case newSessionOnTerminal(String)
  }

  /// The destination or origin of one of the job's standard descriptors.
  public enum Stream: String, Hashable, Sendable {
    case terminal
    case null

    /// To the parent, which reads it line by line. Both output streams may lead there.
    case lines
  }

  /// The program, which is looked up in `PATH` if it contains no slash, and its arguments.
  public var arguments: [String]

  /// Variables in addition to those of the session.
  public var environment: [String: String] = [:]

  public var placement = Placement.foreground
  public var standardInput = Stream.terminal
  public var standardOutput = Stream.lines
  public var standardError = Stream.terminal

  /// Signals that the job inherits as blocked.
  public var blockedSignals = InheritedSignals.none

  /// Signals that the job inherits as ignored, as `nohup` does for SIGHUP.
  public var ignoredSignals = InheritedSignals.none

  public init(_ arguments: [String]) {
    self.arguments = arguments
  }
}

/// A set of signals that a job inherits in some state.
public enum InheritedSignals: Hashable, Sendable {
  case none
  case all
  case some(Set<CInt>)
}
