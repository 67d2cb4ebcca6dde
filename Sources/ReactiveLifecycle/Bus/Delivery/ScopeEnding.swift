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

  override func scopeDidEnd() { bus.removeEnding(id) }
}

extension LifecycleBusCore {
  /// Ends the scope at the next event of the kinds, or with the bus. If the scope has ended, this
  /// is reported at the caller's line.
  func end(_ scope: ScopeCore, at kinds: LifecycleEvent.Kinds, _ site: CallSite) {
    guard !scope.isEnded else { return scope.reportEnd(site) }
    guard let id = addEnding(ScopeEnding(kinds: kinds, scope: scope)) else { return scope.end() }
    // The event may have come on another thread, which is no misuse.
    scope.admit { _ in ScopeEndingEntry(bus: self, id: id) }
  }
}
