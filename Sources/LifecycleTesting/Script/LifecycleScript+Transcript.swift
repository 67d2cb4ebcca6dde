extension LifecycleScript: LifecycleTranscriptConvertible {
  /// The steps, the events of the bus with what it suppressed, and what the recorders of this lifecycle
  /// have written down.
  public var transcript: LifecycleTranscript {
    failures.flush()
    return log.transcript
  }

  /// Returns what was added to the ``transcript`` since it was last taken, so that a test compares what
  /// each part of it brings, without what led to it.
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
  ///
  /// - Complexity: O(n) in the number of lines that are returned.
  @discardableResult
  public func takeTranscript() -> LifecycleTranscript {
    failures.flush()
    return log.take()
  }
}
