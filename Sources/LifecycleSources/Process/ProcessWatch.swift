/// A client of the thread of the process, such as a source that waits for a descriptor.
///
/// Its members are called on that thread, one at a time, while the watch is added. They run no user
/// code and wait for nothing: a bus is fed by the form of `send` that takes a completion, which
/// delivers elsewhere.
package protocol ProcessWatch: AnyObject, Sendable {
  /// The descriptor and the deadline to wait for; read before each wait.
  ///
  /// What changes on another thread takes effect by `ProcessThread.wake()`.
  var interest: ProcessWatchInterest { get }

  /// Handles what has happened.
  func handle(_ moment: ProcessWatchMoment)
}

/// The conditions on which the thread of the process calls a watch.
package struct ProcessWatchInterest: Hashable, Sendable {
  /// The descriptor to poll; nil for none.
  package var descriptor: Int32?
  /// The events of poll(2) to wait for. `POLLERR` and `POLLHUP` are always reported, and until the
  /// watch gives up the descriptor, at once again.
  package var events: Int16
  /// The instant at which to call the watch; nil for none.
  package var deadline: SuspendingClock.Instant?

  package init(
    descriptor: Int32? = nil,
    events: Int16 = 0,
    deadline: SuspendingClock.Instant? = nil
  ) {
    self.descriptor = descriptor
    self.events = events
    self.deadline = deadline
  }
}

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
  /// The process continues, having been stopped for a time, which includes sleep; its terminal is
  /// in the given state. Observers have not been notified.
  case didResume(TerminalState, after: Duration)
  /// The signal ends the process as soon as all watches have returned; observers and tasks are
  /// done. Not called if another party ends the process.
  case willEnd(JobControlSignal)
  /// A `SIGCONT` was sent at the given moment that continued no stop of the engine: after a
  /// `SIGSTOP` if `wasStopped` is true, else to a process that was running.
  ///
  /// `wasStopped` is false on Darwin, and in the rare case that the process was stopped while this
  /// thread was at work.
  case continued(at: SignalMoment, wasStopped: Bool)
  /// A reading of the terminal differs from the one before. In the background, the terminal is read
  /// four times a second.
  case terminal(TerminalState)
}
