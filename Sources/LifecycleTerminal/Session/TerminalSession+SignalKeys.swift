extension TerminalSession {
  /// Keys that send a signal to the process group, and do not arrive as a byte.
  public struct SignalKeys: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Usually Ctrl-C, which sends `SIGINT`.
    public static let interrupt = Self(rawValue: 1)
    /// Usually Ctrl-\\, which sends `SIGQUIT`: for a program that handles that signal, and closes
    /// its session.
    public static let quit = Self(rawValue: 2)
    /// Usually Ctrl-Z, which sends `SIGTSTP`.
    public static let suspend = Self(rawValue: 4)
    /// All of these keys.
    public static let all: Self = [.interrupt, .quit, .suspend]
  }
}
