/// The relation of the terminal to this process.
package enum TerminalState: Hashable, Sendable {
  /// The terminal takes its input for this process, or there is no controlling terminal.
  case foreground
  /// Another process group has the terminal.
  case background
  /// The terminal was hung up, permanently.
  case gone
}
