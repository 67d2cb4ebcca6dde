import LifecycleSupport

/// A scope that ends at an event of a bus, or at the latest with the bus.
struct ScopeEnding: Sendable {
  let kinds: LifecycleEvent.Kinds
  let scope: ScopeCore
}

/// The link back from a scope to its `ScopeEnding`.
///
/// `@unchecked Sendable`: it is immutable.
final class ScopeEndingEntry: ScopeEntry, @unchecked Sendable {
  private let bus: LifecycleBusCore
  private let id: Int

  init(bus: LifecycleBusCore, id: Int) {
    self.bus = bus
    self.id = id
  }

  override func end() { bus.removeEnding(id) }
}

extension LifecycleBusCore {
  /// Ends the scope at the next event of the kinds, or with the bus. If the scope has ended, this
  /// is reported at the caller's line.
  func end(_ scope: ScopeCore, at kinds: LifecycleEvent.Kinds, _ site: CallSite) {
    guard !scope.isEnded else { return scope.reportEnd(site) }
    end(scope, addEnding(ScopeEnding(kinds: kinds, scope: scope), unlessMet: nil))
  }

  /// Ends the scope when the phase meets the condition, or with the bus. If the scope has ended,
  /// this is reported at the caller's line.
  func end(_ scope: ScopeCore, when condition: LifecyclePhase.Condition, _ site: CallSite) {
    guard !scope.isEnded else { return scope.reportEnd(site) }
    condition.reportIfAlwaysMet(
      "The scope ends whatever the phase",
      atTheEnd: "use end(at: .willTerminate, of:)",
      site
    )
    let ending = ScopeEnding(kinds: condition.transitions, scope: scope)
    end(scope, addEnding(ending, unlessMet: condition))
  }

  /// - Parameter id: The number of the scope's ending; nil to end the scope now.
  private func end(_ scope: ScopeCore, _ id: Int?) {
    guard let id else { return scope.end() }
    // The event may have come on another thread, which is no misuse.
    scope.admit { _ in ScopeEndingEntry(bus: self, id: id) }
  }
}

/// The scopes that end at an event, and with the bus.
struct ScopeEndingTable {
  private var endings = RegistrationTable<ScopeEnding>()
  /// The kinds at which scopes have ended since the table was empty, so that other events need not
  /// search it.
  private var kinds: LifecycleEvent.Kinds = []

  mutating func append(_ ending: ScopeEnding) -> Int {
    kinds = kinds.union(ending.kinds)
    return endings.append { _ in ending }
  }

  mutating func remove(_ id: Int) -> ScopeEnding? {
    let ending = endings.remove(id)
    if endings.slotCount == 0 { kinds = [] }
    return ending
  }

  mutating func removeAll() -> [ScopeEnding] {
    kinds = []
    return endings.removeAll()
  }

  func endings(at kind: LifecycleEvent.Kind) -> [ScopeEnding] {
    kinds.contains(kind) ? endings.filter { $0.kinds.contains(kind) } : []
  }
}
