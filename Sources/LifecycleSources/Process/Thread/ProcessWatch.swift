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
