/// Registration of closures, for both kinds of bus.
extension LifecycleBusCore {
  /// Adds an observer, and returns a token that cancels when it is released.
  func addObserver(
    _ kinds: LifecycleEvent.Kinds,
    _ catchUp: LifecycleCatchUp,
    _ site: CallSite,
    _ body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let row = ClosureRow(core: self, kinds: kinds, site: site, body: body)
    add(row, catchUp: catchUp)
    return LifecycleSubscription(row, cancelsOnRelease: true)
  }

  func addObserver(
    _ kinds: LifecycleEvent.Kinds,
    in scope: ScopeCore,
    id: (any Hashable & Sendable)?,
    _ catchUp: LifecycleCatchUp,
    _ site: CallSite,
    _ body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let row = ClosureRow(
      core: self,
      kinds: kinds,
      site: site,
      identity: id.map { ObserverIdentity($0, holder: scope) },
      body: body
    )
    return add(row, in: scope, catchUp: catchUp, site)
  }

  func addReturnObserver<Captured>(
    in scope: ScopeCore,
    id: (any Hashable & Sendable)?,
    _ site: CallSite,
    capturing capture: @escaping @Sendable () -> Captured,
    _ body: @escaping @Sendable (BackgroundStay, Captured?) -> Void
  ) -> LifecycleSubscription {
    let row = ReturnRow(
      core: self,
      site: site,
      identity: id.map { ObserverIdentity($0, holder: scope) },
      capture: capture,
      body: body
    )
    return add(row, in: scope, catchUp: .nothing, site)
  }

  /// - Parameter body: Called with the owner as its first argument.
  func addObserver(
    _ owner: AnyObject,
    _ kinds: LifecycleEvent.Kinds,
    id: (any Hashable & Sendable)?,
    _ catchUp: LifecycleCatchUp,
    _ site: CallSite,
    _ body: @escaping @Sendable (AnyObject, LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let row = OwnerRow(
      core: self,
      kinds: kinds,
      site: site,
      identity: id.map { ObserverIdentity($0, holder: owner) },
      owner: owner,
      body: body
    )
    add(row, catchUp: catchUp)
    return LifecycleSubscription(row, cancelsOnRelease: false)
  }

  func add(
    _ row: ObserverRow,
    in scope: ScopeCore,
    catchUp: LifecycleCatchUp,
    _ site: CallSite
  ) -> LifecycleSubscription {
    scope.insert(site) { membership in
      row.membership = membership
      return row
    }
    add(row, catchUp: catchUp)
    return LifecycleSubscription(row, cancelsOnRelease: false)
  }
}
