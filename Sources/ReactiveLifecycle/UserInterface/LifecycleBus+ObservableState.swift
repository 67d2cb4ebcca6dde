extension LifecycleBus {
  /// The lifecycle as an object that user interfaces read: one for all of them, made on first use. It
  /// begins to follow the bus then.
  ///
  /// ```swift
  /// show(bus.observableState.isForeground ? "in sight" : "out of sight")
  /// ```
  @MainActor public var observableState: ObservableLifecycle {
    companion { ObservableLifecycle($0) }
  }
}
