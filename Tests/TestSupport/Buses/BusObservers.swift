public import ReactiveLifecycle

/// Observers of either kind of bus, for tests of what both guarantee. The buses themselves declare
/// these methods, with main-actor closures for a `LifecycleBus`, and are preferred.
extension LifecycleBusProtocol {
  @_disfavoredOverload
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleCancellable {
    if let bus = self as? NonisolatedLifecycleBus {
      return bus.addObserver(
        for: kinds,
        catchUp: catchUp,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column,
        using: body
      )
    }
    let site = CallSite(fileID, filePath, line, column)
    return core.addObserver(kinds, catchUp: catchUp, site, body)
  }

  @_disfavoredOverload
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    if let bus = self as? NonisolatedLifecycleBus {
      return bus.addObserver(
        for: kinds,
        in: consume scope,
        id: id,
        catchUp: catchUp,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column,
        using: body
      )
    }
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    core.addObserver(kinds, in: scope, id: id, catchUp: catchUp, site, body)
  }

  /// Also for a `NonisolatedLifecycleBus`, whose observers with an owner have no public form.
  @_disfavoredOverload
  public func addObserver<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    for kinds: LifecycleEvent.Kinds = .all,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
  ) {
    let site = CallSite(fileID, filePath, line, column)
    core.addObserver(owner, kinds, id: id, catchUp: catchUp, site) { body($0 as! Owner, $1) }
  }

  @_disfavoredOverload
  public func onOpen(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleOpening) -> Void
  ) {
    if let bus = self as? NonisolatedLifecycleBus {
      return bus.onOpen(
        in: consume scope,
        id: id,
        catchUp: catchUp,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column,
        using: body
      )
    }
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    core.addOpeningObserver(in: scope, id: id, catchUp: catchUp, site, body)
  }

  @_disfavoredOverload
  public func onReturn(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (BackgroundStay) -> Void
  ) {
    if let bus = self as? NonisolatedLifecycleBus {
      return bus.onReturn(
        in: consume scope,
        id: id,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column,
        using: body
      )
    }
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    core.addObserver(.willEnterForeground, in: scope, id: id, site) { event in
      if let stay = event.backgroundStay { body(stay) }
    }
  }

  @_disfavoredOverload
  public func onReturn<Captured: Sendable>(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    capturing capture: @escaping @Sendable () -> Captured,
    using body: @escaping @Sendable (BackgroundStay, Captured?) -> Void
  ) {
    if let bus = self as? NonisolatedLifecycleBus {
      return bus.onReturn(
        in: consume scope,
        id: id,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column,
        capturing: capture,
        using: body
      )
    }
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    core.addReturnObserver(in: scope, id: id, site, capturing: capture, body)
  }

  @_disfavoredOverload
  public func onExitRequest(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) {
    if let bus = self as? NonisolatedLifecycleBus {
      return bus.onExitRequest(
        in: consume scope,
        id: id,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column,
        using: body
      )
    }
    let site = CallSite(fileID, filePath, line, column)
    let scope = (consume scope).core
    core.onExitRequest(in: scope, id: id, site, body)
  }
}
