public import LifecycleCombine

extension Publisher {
  /// Adds to each value the phase that observers were notified of last.
  ///
  /// ```swift
  /// requests.withPhase(of: bus)
  ///   .sink { request, phase in log(request, isForeground: phase.isForeground) }
  ///   .store(in: scope)
  /// ```
  ///
  /// ```text
  /// phase      inactive ─────▶ active ───────────────────▶ inactive ──────────▶
  /// upstream   ──1───────────────2────────────3──────────────4──────────────|
  /// result     ──(1, inactive)───(2, active)──(3, active)────(4, inactive)──|
  /// ```
  ///
  /// The phase is read on upstream's thread, when the value arrives, and the pair is passed on
  /// there. Demand, completion, failure and cancellation pass through. After the end of the bus the
  /// publisher continues with the last phase. The bus is not kept alive, and nothing is registered
  /// on it.
  ///
  /// - Complexity: O(1) a value.
  ///
  /// - Parameter bus: The bus whose phase is added.
  public func withPhase(
    of bus: some LifecycleBusProtocol
  ) -> Publishers.Map<Self, (value: Output, phase: LifecyclePhase)> {
    let core = bus.core
    return map { (value: $0, phase: core.phase) }
  }
}
