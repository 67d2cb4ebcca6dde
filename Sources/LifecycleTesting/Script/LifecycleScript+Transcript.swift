extension LifecycleScript: LifecycleTranscriptConvertible {
  /// The steps, the events that the bus delivered or suppressed, and the entries of the recorders
  /// of this lifecycle.
  public var transcript: LifecycleTranscript {
    failures.flush()
    return log.transcript
  }

  /// Returns the lines that were added to the ``transcript`` since the last call, so that each part
  /// of a test can compare its own effects.
  ///
  /// ```swift
  /// lifecycle.perform(.launch, .becomeActive)
  /// lifecycle.takeTranscript()
  /// countdown.start()
  /// lifecycle.perform(.advance(by: .seconds(1)))
  /// expectLifecycle(
  ///   lifecycle.takeTranscript(),
  ///   matches: """
  ///       [0 s active] countdown: running, 60 s
  ///     advance(by: 1 s)
  ///       [1 s active] countdown: running, 59 s
  ///     """
  /// )
  /// ```
  @discardableResult
  public func takeTranscript() -> LifecycleTranscript {
    failures.flush()
    return log.take()
  }
}
