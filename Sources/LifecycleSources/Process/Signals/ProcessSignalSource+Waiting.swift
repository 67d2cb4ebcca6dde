package import ReactiveLifecycle

extension ProcessSignalSource {
  /// Waits until the process has ended, if a signal is ending it.
  ///
  /// Call this method at the end of a `main` whose work ends with the bus. Otherwise `main` may
  /// return before the signal ends the process, which then exits with the status of `main`:
  ///
  /// ```swift
  /// for await event in bus.events.asyncSequence() { record(event) }
  /// await ProcessSignalSource.waitForEnd()
  /// ```
  ///
  /// If a signal is ending the process, this method does not return: the signal ends the process
  /// after the observers and the background tasks, or at their deadlines. Otherwise it returns at
  /// once: if no signal has been received, if no bus is connected to the process's signals, or if
  /// another party ends the process (``Termination/observe``).
  ///
  /// The task is suspended and no thread is blocked, so observers on the main actor run meanwhile.
  /// Cancelling the task has no effect.
  public static func waitForEnd() async {
    guard isEnding else { return }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  /// A Boolean value that indicates whether a signal is ending the process.
  package static var isEnding: Bool { ProcessSignalEngine.isEnding }

  /// Returns whether a signal is ending the process, and this bus is connected to the signals.
  package static func isEnding(_ core: LifecycleBusCore) -> Bool {
    ProcessSignalEngine.isEnding(core)
  }
}
