/// An input of a `JobControlMachine`.
package enum JobControlInput: Hashable, Sendable {
  /// A signal was sent to the process at the given moment.
  case signal(JobControlSignal, at: SignalMoment)
  /// The answer to `armStop`: the stop is pending in the kernel, or it was taken back by a
  /// `SIGCONT` that was sent after the `SIGTSTP`.
  case armed(isCancelled: Bool)
  /// Every observer of the last awaited announcement has returned.
  case deliveriesFinished
  /// The deadline of the last awaited announcement passed with observers still running.
  case deadlinePassed
  /// Tasks no longer delay the process: all have ended, or the handlers of those whose time was up
  /// were called, or could not be called in time. Sent only while the machine `awaitsTasks`.
  case tasksFinished
  /// The answer to `ask`, at the given moment: an observer cancels the end of the process, or none
  /// does in time.
  case exitAnswered(isCancelled: Bool, at: SignalMoment)
  /// The answer to `stop`: the process continues, or the kernel did not stop it.
  case resumed(at: SignalMoment, TerminalState)
  /// The terminal was read: because of a `SIGCONT` sent at the given moment or, if that is nil,
  /// because a reading was due.
  case terminal(TerminalState, because: SignalMoment?)
}

/// An instruction of a `JobControlMachine`.
package enum JobControlAction: Hashable, Sendable {
  /// An announcement to observers.
  package enum Announcement: Hashable, Sendable {
    case active, background, termination, reload

    /// A Boolean value that indicates whether a signal to end the process leads to it.
    var isAnswerToEndSignal: Bool { self == .termination || self == .reload }
  }

  /// Notify all buses. An awaited announcement is followed by `deliveriesFinished` or
  /// `deadlinePassed`, unless another awaited announcement comes first.
  case announce(Announcement, signal: JobControlSignal?, at: SignalMoment?, isAwaited: Bool)
  /// Make a stop pending in the kernel, check for a `SIGCONT` since the given moment, and answer
  /// with `armed`.
  case armStop(since: SignalMoment)
  /// Take the pending stop back.
  case disarmStop
  /// Let the pending stop happen, and answer with `resumed`.
  case stop
  /// Ask the observers whether the signal may end the process, and send `exitAnswered` when they
  /// have answered or their time is up.
  case ask(JobControlSignal)
  /// Withdraw the question.
  case stopAsking
  /// Read the terminal, and answer with `terminal`.
  case readTerminal(because: SignalMoment?)
  /// A stop or the end waits for its tasks from now on, for as long as the host of each task
  /// grants.
  case startGrace(of: ProcessTaskMachine.Occasion)
  /// The process continues: tasks no longer delay anything.
  case endGrace
  /// Limit the time of observers and tasks to a moment, counted from the announcement. If they use
  /// all of it, the answer is `deadlinePassed`.
  case hurry
  /// Report the observers that are late.
  case reportOverrun
  /// End the process by the signal.
  case die(JobControlSignal)
}
