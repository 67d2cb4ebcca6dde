extension LifecycleBusProtocol {
  /// How many inputs were suppressed for that reason since the bus was made. Any thread.
  public func suppressedCount(_ reason: SuppressedInput.Reason) -> Int {
    core.suppressedCount(reason)
  }

  /// The observers and subscribers that are registered now, in order of registration, for finding
  /// leaks. A subscriber of a publisher that is a property, such as ``events``, can't say where it
  /// was registered: ``publisher(for:catchUp:fileID:filePath:line:column:)`` can. A scope that stores the
  /// `AnyCancellable` of a `sink` is not known here. Any thread; O(n).
  public var liveSubscriptions: [LiveSubscription] {
    core.liveSubscriptions
  }

  /// What the bus knows and does now. Any thread; O(n) in the observers and sources.
  public var diagnostics: LifecycleDiagnostics {
    core.diagnostics
  }
}
