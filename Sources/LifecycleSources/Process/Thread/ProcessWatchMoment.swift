/// An occasion on which the thread of the process calls a watch.
///
/// All but `ready` and `deadline` occur only while a bus is connected to the process's signals.
package enum ProcessWatchMoment: Hashable, Sendable {
  /// Poll(2) returned these events for the descriptor.
  case ready(Int16)
  /// The deadline has passed.
  case deadline
  /// The process stops as soon as all watches have returned; observers and tasks are done.
  case willStop
  /// The process continues after that stop. Observers have not been notified.
  case didResume
  /// A signal ends the process as soon as all watches have returned; observers and tasks are done.
  /// Not called if another party ends the process.
  case willEnd
  /// A `SIGCONT` was sent that continued no stop of the engine: after a `SIGSTOP`, or to a process
  /// that was running. The signal does not tell which.
  case continued
  /// A reading of the terminal differs from the one before. In the background, the terminal is read
  /// four times a second.
  case terminal(TerminalState)
}
