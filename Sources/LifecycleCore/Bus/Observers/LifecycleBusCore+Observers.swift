/// Registration of closures, for both kinds of bus.
extension LifecycleBusCore {
  package func addObserver(
    _ kinds: LifecycleEvent.Kinds,
    catchUp: LifecycleCatchUp = .nothing,
    _ site: CallSite,
    _ body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleCancellable {
    let row = ClosureRow(core: self, kinds: kinds, site: site, body: body)
    add(row, catchUp: catchUp)
    return LifecycleCancellable(row)
  }

  @discardableResult
  package func addObserver(
    _ kinds: LifecycleEvent.Kinds = .all,
    in scope: ScopeCore,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    _ site: CallSite,
    _ body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> ObserverRow {
    let row = ClosureRow(
      core: self,
      kinds: kinds,
      site: site,
      identity: id.map { ObserverIdentity($0, holder: scope) },
      body: body
    )
    add(row, in: scope, catchUp: catchUp, site)
    return row
  }

  func addOpeningObserver(
    _ filter: OpeningFilter,
    in scope: ScopeCore,
    id: (any Hashable & Sendable)?,
    _ site: CallSite,
    capturing capture: (@Sendable () -> Any)? = nil,
    _ body: @escaping @Sendable (LifecycleOpening, Any?) -> Void
  ) {
    let row = OpeningClosureRow(
      core: self,
      filter,
      site: site,
      identity: id.map { ObserverIdentity($0, holder: scope) },
      capture: capture,
      body: body
    )
    add(row, in: scope, catchUp: filter.catchUp, site)
  }

  /// - Parameter body: Called with the owner as its first argument.
  @discardableResult
  package func addObserver(
    _ owner: AnyObject,
    _ kinds: LifecycleEvent.Kinds,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    _ site: CallSite,
    _ body: @escaping @Sendable (AnyObject, LifecycleEvent) -> Void
  ) -> ObserverRow {
    let row = OwnerRow(
      core: self,
      kinds: kinds,
      site: site,
      identity: id.map { ObserverIdentity($0, holder: owner) },
      owner: owner,
      body: body
    )
    add(row, catchUp: catchUp)
    return row
  }

  func add(
    _ row: ObserverRow,
    in scope: ScopeCore,
    catchUp: LifecycleCatchUp,
    _ site: CallSite
  ) {
    scope.insert(site) { membership in
      row.membership = membership
      return row
    }
    add(row, catchUp: catchUp)
  }
}
