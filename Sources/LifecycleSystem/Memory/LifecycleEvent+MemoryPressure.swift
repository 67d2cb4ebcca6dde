public import ReactiveLifecycle

extension LifecycleEvent {
  static let memoryPressureKey = "memoryPressure"

  /// The level of a memory warning, from the metadata that ``MemoryPressureSource`` adds; nil if
  /// the event has none.
  public var memoryPressure: MemoryPressureLevel? {
    metadata[Self.memoryPressureKey].flatMap(MemoryPressureLevel.init)
  }
}
