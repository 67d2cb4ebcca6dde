import LifecycleProcess

/// A state machine that decides when a session takes its terminal and when it gives it back.
///
/// The terminal is touched only while the process is in the foreground: in the background it
/// belongs to the shell or to another job, even where the kernel would let the process change it.
struct TerminalSessionMachine: Hashable, Sendable {
  /// An occasion, with the state of the terminal at that moment.
  enum Input: Hashable, Sendable {
    /// The terminal was read.
    case read(ControllingTerminal.State)
    /// A `SIGCONT` has continued the process after a stop that no one has announced.
    case continued(ControllingTerminal.State)
    /// The process is about to stop.
    case willStop(ControllingTerminal.State)
    /// The process has been continued after that.
    case resumed(ControllingTerminal.State)
    /// The session was closed.
    case closed(ControllingTerminal.State)
    /// The process ends.
    case ended(ControllingTerminal.State)
  }

  /// An action of the session.
  enum Action: Hashable, Sendable {
    /// Save the settings of the terminal, change them, and request reports of the focus.
    case take
    /// Change the settings again, which another party may have reset, and request reports again.
    case takeAgain
    /// Request no more reports, and restore the saved settings.
    case giveBack
    /// Forget the focus: reports no longer arrive.
    case forgetFocus
    /// End the input of the program.
    case endInput
    /// End the input of the program later, unless the process ends first.
    case endInputLater
  }

  /// The relation of the session to its terminal.
  enum Possession: Hashable, Sendable {
    /// The session takes the terminal when the process is in the foreground.
    case waiting
    /// The session has the terminal.
    case taken
    /// The process is stopping or stopped.
    case stopped
    /// The terminal has hung up.
    case hungUp
    /// The session was closed, or the process ends.
    case ended
  }

  /// The relation of the session to its terminal.
  private(set) var possession = Possession.waiting

  /// Handles one input and returns the actions to perform, in order.
  mutating func handle(_ input: Input) -> [Action] {
    switch (possession, input) {
    case (.ended, _):
      return []
    case (_, .closed(let terminal)):
      return leave(terminal, to: .ended) + [.endInput]
    case (_, .ended(let terminal)):
      // The input is not ended: `main` could return before the process has ended.
      return leave(terminal, to: .ended)
    case (.hungUp, _):
      return []
    case (_, .read(.gone)), (_, .continued(.gone)), (_, .resumed(.gone)):
      return leave(.gone, to: .hungUp) + [.endInputLater]
    case (_, .willStop(let terminal)):
      return leave(terminal, to: .stopped)
    case (.stopped, .read), (.stopped, .continued):
      return []
    case (.taken, .continued(.foreground)):
      return [.takeAgain]
    case (_, .read(.foreground)), (_, .continued(.foreground)), (_, .resumed(.foreground)):
      defer { possession = .taken }
      return possession == .taken ? [] : [.take]
    case (_, .read(.background)), (_, .continued(.background)), (_, .resumed(.background)):
      return leave(.background, to: .waiting)
    }
  }

  private mutating func leave(
    _ terminal: ControllingTerminal.State,
    to next: Possession
  ) -> [Action] {
    defer { possession = next }
    guard possession == .taken else { return [] }
    return (terminal == .foreground ? [.giveBack] : []) + [.forgetFocus]
  }
}
