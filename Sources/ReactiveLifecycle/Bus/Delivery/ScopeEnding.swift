/// A scope that ends at an event of a bus, or else with the bus.
struct ScopeEnding: Sendable {
  let kinds: LifecycleEvent.Kinds
  let scope: ScopeCore
}

/// The way back from a scope to its `ScopeEnding`.
///
/// `@unchecked Sendable`: nothing changes.
final class ScopeEndingEntry: ScopeEntry, @unchecked Sendable {
  private let bus: LifecycleBusCore
  private let id: Int

  init(bus: LifecycleBusCore, id: Int) {
    self.bus = bus
    self.id = id
  }

  override func scopeDidEnd() { bus.removeEnding(id) }
}

extension LifecycleBusCore {
  /// Ends the scope at the next event of the kinds, or with the bus. Of one that has ended this is
  /// reported at the caller's line.
  func end(_ scope: ScopeCore, at kinds: LifecycleEvent.Kinds, _ site: CallSite) {
    guard !scope.isEnded else { return scope.reportEnd(site) }
    guard let id = addEnding(ScopeEnding(kinds: kinds, scope: scope)) else { return scope.end() }
    // On another thread the event may have come, and is no misuse.
    scope.admit { _ in ScopeEndingEntry(bus: self, id: id) }
  }
}
