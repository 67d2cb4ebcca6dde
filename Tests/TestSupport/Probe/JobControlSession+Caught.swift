public import JobControl

extension JobControlSession {
  /// Waits until a job has a handler for the signal, which it lacks before its source is connected,
  /// and for a moment after it was continued.
  public func waitUntilCaught(_ signal: CInt, by job: Job) throws {
    let deadline = ContinuousClock.now + timeout
    while ContinuousClock.now < deadline {
      let caught = ProcessSnapshot(job.processID)?.caught ?? 0
      if caught & ProcessSnapshot.bit(signal) != 0 { return }
      idle(for: .milliseconds(1))
    }
    throw NotCaught(signal: signal)
  }

  private struct NotCaught: Error {
    var signal: CInt
  }
}
