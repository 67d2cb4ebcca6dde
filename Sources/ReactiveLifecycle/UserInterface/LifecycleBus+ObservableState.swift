extension LifecycleBus {
  /// The lifecycle as an object that user interfaces share.
  ///
  /// The object is created on first use, and follows the bus from then on.
  ///
  /// ```swift
  /// show(bus.observableState.isForeground ? "in sight" : "out of sight")
  /// ```
  @MainActor public var observableState: ObservableLifecycle {
    companion { ObservableLifecycle($0) }
  }
}
