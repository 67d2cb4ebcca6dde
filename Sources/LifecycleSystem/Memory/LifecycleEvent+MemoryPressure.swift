public import ReactiveLifecycle

extension LifecycleEvent {
  static let memoryPressureKey = "memoryPressure"

  /// The level of a memory warning; nil unless a ``MemoryPressureSource`` sent the event.
  ///
  /// - Complexity: O(1).
  public var memoryPressure: MemoryPressureLevel? {
    metadata[Self.memoryPressureKey].flatMap(MemoryPressureLevel.init)
  }
}
