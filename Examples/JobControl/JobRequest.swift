/// What to launch as a job, and under which conditions.
public struct JobRequest: Hashable, Sendable {
  /// Where the job stands towards the terminal.
  public enum Placement: Hashable, Sendable {
    /// A process group of its own that owns the terminal, as after typing a command.
    case foreground

    /// A process group of its own that does not own the terminal, as after `command &`.
    case background

    /// A session of its own without a controlling terminal, as a daemon has.
    case newSession

    /// A session of its own that is led by the job, with the terminal at this path. Its group is
    /// orphaned, as that of a program which a terminal emulator starts without a shell.
    case newSessionOnTerminal(String)
  }

  /// Where a standard descriptor of the job leads.
  public enum Stream: String, Hashable, Sendable {
    case terminal
    case null

    /// To the parent, which reads it line by line. Both output streams may lead there.
    case lines
  }

  /// The program, looked up in `PATH` when it has no slash, and its arguments.
  public var arguments: [String]

  /// Variables in addition to those of the session.
  public var environment: [String: String] = [:]

  public var placement = Placement.foreground
  public var standardInput = Stream.terminal
  public var standardOutput = Stream.lines
  public var standardError = Stream.terminal

  /// Signals that the job inherits as blocked.
  public var blockedSignals = InheritedSignals.none

  /// Signals that the job inherits as ignored, as `nohup` has it for SIGHUP.
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
