/// The scopes that end at an event, and with the bus.
struct ScopeEndingTable {
  private var endings = RegistrationTable<ScopeEnding>()
  /// How many scopes end at a kind, so that other events need not look through them.
  private var counts: [LifecycleEvent.Kind: Int] = [:]

  mutating func append(_ ending: ScopeEnding) -> Int {
    for kind in ending.kinds { counts[kind, default: 0] += 1 }
    return endings.append { _ in ending }
  }

  mutating func remove(_ id: Int) -> ScopeEnding? {
    let ending = endings.remove(id)
    for kind in ending?.kinds ?? [] {
      counts[kind] = counts[kind].flatMap { $0 == 1 ? nil : $0 - 1 }
    }
    return ending
  }

  mutating func removeAll() -> [ScopeEnding] {
    counts = [:]
    return endings.removeAll()
  }

  func endings(at kind: LifecycleEvent.Kind) -> [ScopeEnding] {
    counts.isEmpty || counts[kind, default: 0] == 0
      ? [] : endings.filter { $0.kinds.contains(kind) }
  }
}
