/// The scopes that end at an event, and with the bus.
struct ScopeEndingTable {
  private var endings = RegistrationTable<ScopeEnding>()
  /// The number of scopes that end at each listed kind, so that other events need not search the
  /// table.
  private var counts: [LifecycleEvent.Kind: Int] = [:]
  /// The number of scopes that end at any kind.
  private var anyCount = 0

  mutating func append(_ ending: ScopeEnding) -> Int {
    count(ending.kinds, 1)
    return endings.append { _ in ending }
  }

  mutating func remove(_ id: Int) -> ScopeEnding? {
    let ending = endings.remove(id)
    if let ending { count(ending.kinds, -1) }
    return ending
  }

  private mutating func count(_ kinds: LifecycleEvent.Kinds, _ change: Int) {
    guard let listed = kinds.listed else { return anyCount += change }
    for kind in listed {
      let count = counts[kind, default: 0] + change
      counts[kind] = count == 0 ? nil : count
    }
  }

  mutating func removeAll() -> [ScopeEnding] {
    counts = [:]
    anyCount = 0
    return endings.removeAll()
  }

  func endings(at kind: LifecycleEvent.Kind) -> [ScopeEnding] {
    let mayEnd = anyCount > 0 || !counts.isEmpty && counts[kind] != nil
    return mayEnd ? endings.filter { $0.kinds.contains(kind) } : []
  }
}
