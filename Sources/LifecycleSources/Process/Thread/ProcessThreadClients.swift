import Dispatch

/// The clients of the thread of the process, as several threads see them.
struct ProcessThreadClients: Sendable {
  /// The state of the engine of the process's signals.
  enum Signals: Sendable {
    /// There is none: a recorded signal belongs to the handler that is installed now.
    case none
    /// It is being installed: recorded signals are kept.
    case expected
    /// The thread handles the signals for it, until it is closed.
    case handedOver(any SignalHandling)
  }

  var watches: [any ProcessWatch] = []
  var signals = Signals.none
  /// A Boolean value that indicates whether the process is stopping, or a signal is ending it.
  var isLeaving = false
  /// A Boolean value that indicates whether the last client has left, and the thread is to return.
  var isClosing = false
  /// The watch that is being called, and those who wait for the end of the call.
  private var running: ObjectIdentifier?
  private(set) var waiters: [DispatchSemaphore] = []

  /// Removes a watch, and returns what is to be waited for, and what is to be released without the
  /// lock.
  mutating func remove(
    _ watch: any ProcessWatch,
    waits: Bool
  ) -> (DispatchSemaphore?, [any ProcessWatch]) {
    let old = watches
    watches.removeAll { $0 === watch }
    guard waits, running == ObjectIdentifier(watch) else { return (nil, old) }
    let finished = DispatchSemaphore(value: 0)
    waiters.append(finished)
    return (finished, old)
  }

  /// Returns true, permanently, if there is no client.
  mutating func beginClosing() -> Bool {
    guard watches.isEmpty, case .none = signals else { return false }
    isClosing = true
    return true
  }

  /// Begins the call of a watch; returns false if it is not added.
  mutating func beginCall(of watch: any ProcessWatch) -> Bool {
    guard watches.contains(where: { $0 === watch }) else { return false }
    running = ObjectIdentifier(watch)
    return true
  }

  /// Ends the call, and returns those who wait for it.
  mutating func endCall() -> [DispatchSemaphore] {
    defer { waiters = [] }
    running = nil
    return waiters
  }
}
