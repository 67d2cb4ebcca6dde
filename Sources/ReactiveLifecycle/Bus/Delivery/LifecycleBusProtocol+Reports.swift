extension LifecycleBusProtocol {
  /// Returns the number of inputs suppressed for a reason since the bus was created. Thread-safe.
  public func suppressedCount(_ reason: SuppressedInput.Reason) -> Int {
    core.suppressedCount(reason)
  }

  /// The observers and subscribers that are registered now, for finding leaks. Thread-safe.
  ///
  /// They are in order of registration, with the subscribers of ``suppressedInputs`` last.
  ///
  /// A subscriber of a publisher that is a property, such as ``events``, does not report where
  /// it was registered; one of ``publisher(for:catchUp:fileID:filePath:line:column:)`` does. A
  /// scope that stores a token, or the `AnyCancellable` of a `sink`, is not known here.
  ///
  /// - Complexity: O(*n*) in the observers and subscribers.
  public var liveSubscriptions: [LiveSubscription] {
    core.liveSubscriptions
  }

  /// The current state and activity of the bus. Thread-safe.
  ///
  /// - Complexity: O(*n* + *m*²) in *n* observers and *m* sources.
  public var diagnostics: LifecycleDiagnostics {
    core.diagnostics
  }
}
