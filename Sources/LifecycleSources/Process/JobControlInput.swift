/// What a `JobControlMachine` is told.
package enum JobControlInput: Hashable, Sendable {
  /// A signal was sent to the process at the moment.
  case signal(JobControlSignal, at: SignalMoment)
  /// The answer to `armStop`: the stop is pending in the kernel, or a `SIGCONT` that was sent after
  /// the `SIGTSTP` has taken it back.
  case armed(isCancelled: Bool)
  /// Every observer of the last awaited announcement has returned.
  case deliveriesFinished
  /// The deadline of the last awaited announcement passed with observers still running.
  case deadlinePassed
  /// No task holds the process up any more: all have ended, or those whose time was up were told, or
  /// could not be told in time. Said only while the machine `awaitsTasks`.
  case tasksFinished
  /// The answer to `stop`: the process goes on, or the kernel did not stop it.
  case resumed(at: SignalMoment, TerminalState)
  /// The terminal was read: because of a `SIGCONT` sent at the moment, or, when it is nil, because
  /// it was time to look.
  case terminal(TerminalState, because: SignalMoment?)
}

/// What a `JobControlMachine` wants done.
package enum JobControlAction: Hashable, Sendable {
  /// What observers are told.
  package enum Announcement: Hashable, Sendable {
    case active, background, termination
  }

  /// Tell all buses. An awaited announcement is followed by `deliveriesFinished` or
  /// `deadlinePassed`, unless another awaited announcement comes first.
  case announce(Announcement, signal: JobControlSignal?, at: SignalMoment?, isAwaited: Bool)
  /// Make a stop pending in the kernel, look whether a `SIGCONT` has come since the moment, and
  /// answer with `armed`.
  case armStop(since: SignalMoment)
  /// Take the pending stop back.
  case disarmStop
  /// Let the pending stop happen, and answer with `resumed`.
  case stop
  /// Read the terminal, and answer with `terminal`.
  case readTerminal(because: SignalMoment?)
  /// A stop or the end waits for the tasks from now on, for as long as each one's host grants.
  case startGrace
  /// The process goes on: tasks hold nothing up any more.
  case endGrace
  /// Leave observers and tasks no more time than a moment from the announcement on. If they take it
  /// all, that is answered with `deadlinePassed`.
  case hurry
  /// Say which observers are late.
  case reportOverrun
  /// End the process by the signal.
  case die(JobControlSignal)
}

/// Whether the terminal takes its input for this process.
package enum TerminalState: Hashable, Sendable {
  /// It does, or there is no controlling terminal.
  case foreground
  /// Another process group has the terminal.
  case background
  /// The terminal was hung up, for good.
  case gone
}
