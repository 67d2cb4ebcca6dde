extension BusCore {
  package func addWitness(
    of body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    add(WitnessRow(core: self, table: .events, hear: body))
  }

  package func addWitness(
    ofSuppressed body: @escaping @Sendable (SuppressedInput) -> Void
  ) -> LifecycleSubscription {
    add(WitnessRow(core: self, table: .suppressions, hearSuppressed: body))
  }

  private func add(_ row: WitnessRow) -> LifecycleSubscription {
    listen(row)
    return LifecycleSubscription(row, cancelsOnRelease: true)
  }
}
