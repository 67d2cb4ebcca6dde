/// What a scope holds. What it holds keeps the core alive, never the scope: the scope ends the core
/// when it is released.
package final class ScopeCore: ScopeMember {
  let name: String

  private let state = Locked(State())

  private struct State {
    var members = RegistrationTable<any ScopeMember>()
    var membership: ScopeMembership?
    var isEnded = false
  }

  /// What there is to do when a scope has ended.
  private struct Remains {
    var members: [any ScopeMember]
    let membership: ScopeMembership?
  }

  init(name: String) {
    self.name = name
  }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// How many places the scope keeps, those included that have been given up.
  var entryCount: Int { state.withLock { $0.members.slotCount } }

  /// Takes note of the core's own place in its parent.
  func join(_ membership: ScopeMembership) {
    state.withLock { $0.membership = membership }
  }

  package func scopeDidEnd() { end() }

  func end() {
    // A loop, for scopes may be nested deeper than the stack has room for.
    var outer: [Remains] = []
    var current = close()
    while true {
      if let member = current.members.popLast() {
        guard let child = member as? ScopeCore else {
          member.scopeDidEnd()
          continue
        }
        outer.append(current)
        current = child.close()
      } else {
        current.membership?.withdraw()
        guard let parent = outer.popLast() else { return }
        current = parent
      }
    }
  }

  private func close() -> Remains {
    state.withLock { state in
      state.isEnded = true
      return Remains(members: state.members.removeAll(), membership: state.membership.take())
    }
  }

  /// Takes in what may end elsewhere. Each time it looks at a few others, so that those that have
  /// ended elsewhere don't pile up.
  func store(_ member: any ScopeMember, _ site: CallSite) {
    let ended = state.withLock { $0.members.sweep(4) { $0.hasEnded } }
    // Otherwise optimized code releases them under the lock.
    withExtendedLifetime(ended) {}
    insert(site) { _ in member }
  }

  /// Takes in the member that `makeMember` makes of its place; under the scope's lock, so it must do
  /// nothing but that. On an ended scope the member is ended at once, which is reported at the
  /// caller's line.
  package func insert(_ site: CallSite, makeMember: @Sendable (ScopeMembership) -> any ScopeMember)
  {
    if !admit(makeMember: makeMember) { reportEnd(site) }
  }

  /// Takes in a member like ``insert(_:makeMember:)``, without a report.
  ///
  /// - Returns: False if the scope has ended, and with it the member.
  @discardableResult
  func admit(makeMember: @Sendable (ScopeMembership) -> any ScopeMember) -> Bool {
    let rejected = state.withLock { state -> (any ScopeMember)? in
      guard !state.isEnded else { return makeMember(ScopeMembership(scope: self, id: -1)) }
      _ = state.members.append { makeMember(ScopeMembership(scope: self, id: $0)) }
      return nil
    }
    rejected?.scopeDidEnd()
    return rejected == nil
  }

  func reportEnd(_ site: CallSite) {
    site.report(
      """
      Something was added to the scope "\(name)" after it had ended, and was cancelled at once. \
      Make a new scope for each appearance.
      """
    )
  }

  func withdraw(_ id: Int) {
    let member = state.withLock { $0.members.remove(id) }
    withExtendedLifetime(member) {}
  }
}
