public import JobControl

extension JobControlSession {
  /// Waits until a condition holds, which is checked again and again.
  ///
  /// - Parameter subject: What is waited for, with what was seen instead.
  /// - Throws: An error that names the subject, at the end of the session's `timeout`.
  public func wait(
    for subject: @autoclosure () -> String,
    until condition: () throws -> Bool
  ) throws {
    let deadline = ContinuousClock.now + timeout
    while try !condition() {
      guard ContinuousClock.now < deadline else { throw NotSeen(subject: subject()) }
      idle(for: .milliseconds(1))
    }
  }

  private struct NotSeen: Error {
    var subject: String
  }
}
