/// A client of the thread of the process that handles the recorded signals there: the engine of the
/// process's signals.
protocol SignalHandling: AnyObject, Sendable {
  /// Makes the loop. Called on the thread, once.
  func makeLoop(_ records: SignalRecords) -> any SignalHandlingLoop
}

/// The part of such a client that only the thread uses.
protocol SignalHandlingLoop {
  /// A Boolean value that indicates whether the client is to be removed.
  var isClosing: Bool { get }

  /// Adds signals that were read from the pipe.
  mutating func take(_ signals: [(signal: JobControlSignal, moment: SignalMoment)])

  /// Handles everything that has happened.
  mutating func turn()

  /// Returns the next instant at which a turn is due even if there is no record; nil if there is
  /// none.
  mutating func nextDeadline() -> SuspendingClock.Instant?

  /// Restores the former dispositions. Called once the client is closed.
  mutating func end()

  /// Lets the party that closed the client continue.
  func reportEnd()
}
