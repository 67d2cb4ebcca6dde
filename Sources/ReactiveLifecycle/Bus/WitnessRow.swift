/// What writes a test's transcript. Registered first, it hears of each event before all others, also
/// on the way down. It is not among the live subscriptions: those are the program's.
final class WitnessRow: ObserverRow, @unchecked Sendable {
  private var hear: (LifecycleEvent) -> Void
  private var hearSuppressed: (SuppressedInput) -> Void

  init(
    core: BusCore,
    table: Table,
    hear: @escaping @Sendable (LifecycleEvent) -> Void = { _ in },
    hearSuppressed: @escaping @Sendable (SuppressedInput) -> Void = { _ in }
  ) {
    self.hear = hear
    self.hearSuppressed = hearSuppressed
    super.init(core: core, kinds: .all, site: nil, table: table)
  }

  override var isListed: Bool { false }

  override func receive(_ event: LifecycleEvent) { hear(event) }

  override func receive(_ input: SuppressedInput) { hearSuppressed(input) }

  override func clear() {
    hear = { _ in }
    hearSuppressed = { _ in }
  }
}

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
