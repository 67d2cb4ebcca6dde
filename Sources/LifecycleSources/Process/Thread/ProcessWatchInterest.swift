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
