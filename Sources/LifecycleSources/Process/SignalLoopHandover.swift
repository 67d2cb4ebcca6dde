import LifecycleSupport

/// A loop on its way to the thread of the process.
final class SignalLoopHandover: Sendable {
  private let loop: Locked<SignalLoop?>

  init(_ loop: sending SignalLoop) {
    self.loop = Locked(loop)
  }

  /// Returns the loop the first time, then nil.
  func take() -> sending SignalLoop? {
    loop.withLock { loop in
      let taken = loop
      loop = nil
      return taken
    }
  }
}
