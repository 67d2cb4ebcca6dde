public import LifecycleCore

/// Observers of either kind of bus, for tests of what both guarantee. They call the public methods
/// of the bus's type, which are preferred where the type is known.
extension LifecycleBusProtocol {
  private func call<Result>(
    _ onMainActor: (LifecycleBus) -> Result,
    _ elsewhere: (NonisolatedLifecycleBus) -> Result
  ) -> Result {
    if let bus = self as? LifecycleBus { return onMainActor(bus) }
    return elsewhere(self as! NonisolatedLifecycleBus)
  }

  @_disfavoredOverload
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    catchUp: LifecycleCatchUp = .nothing,
    line: UInt = #line,
    using body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleCancellable {
    call(
      { $0.addObserver(for: kinds, catchUp: catchUp, line: line, using: body) },
      { $0.addObserver(for: kinds, catchUp: catchUp, line: line, using: body) }
    )
  }

  @_disfavoredOverload
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    in scope: LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    using body: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    call {
      $0.addObserver(
        for: kinds,
        in: scope,
        id: id,
        catchUp: catchUp,
        fileID: fileID,
        line: line,
        using: body
      )
    } _: {
      $0.addObserver(
        for: kinds,
        in: scope,
        id: id,
        catchUp: catchUp,
        fileID: fileID,
        line: line,
        using: body
      )
    }
  }

  /// Also for a `NonisolatedLifecycleBus`, whose observers with an owner have no public form.
  @_disfavoredOverload
  public func addObserver<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    for kinds: LifecycleEvent.Kinds = .all,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    using body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
  ) {
    if let bus = self as? LifecycleBus,
      MainQueue.ifCurrent({
        bus.addObserver(owner, for: kinds, id: id, catchUp: catchUp, using: body)
      }) != nil
    {
      return
    }
    let site = CallSite(#fileID, #filePath, #line, #column)
    core.addObserver(owner, kinds, id: id, catchUp: catchUp, site) { body($0 as! Owner, $1) }
  }

  @_disfavoredOverload
  public func onOpen(
    after: Duration = .zero,
    at moment: LifecycleOpening.Moment = .visible,
    in scope: LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    initial: Bool = true,
    using body: @escaping @Sendable (LifecycleOpening) -> Void
  ) {
    call(
      { $0.onOpen(after: after, at: moment, in: scope, id: id, initial: initial, using: body) },
      { $0.onOpen(after: after, at: moment, in: scope, id: id, initial: initial, using: body) }
    )
  }

  @_disfavoredOverload
  public func onReturn(
    after: Duration = .zero,
    at: LifecycleOpening.Moment = .visible,
    in scope: LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    using body: @escaping @Sendable (BackgroundStay) -> Void
  ) {
    call {
      $0.onReturn(after: after, at: at, in: scope, id: id, fileID: file, line: line, using: body)
    } _: {
      $0.onReturn(after: after, at: at, in: scope, id: id, fileID: file, line: line, using: body)
    }
  }

  @_disfavoredOverload
  public func onReturn<Captured: Sendable>(
    after: Duration = .zero,
    at: LifecycleOpening.Moment = .visible,
    in scope: LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line,
    capturing capture: @escaping @Sendable () -> Captured,
    using body: @escaping @Sendable (BackgroundStay, Captured?) -> Void
  ) {
    call {
      $0.onReturn(
        after: after,
        at: at,
        in: scope,
        id: id,
        fileID: file,
        line: line,
        capturing: capture,
        using: body
      )
    } _: {
      $0.onReturn(
        after: after,
        at: at,
        in: scope,
        id: id,
        fileID: file,
        line: line,
        capturing: capture,
        using: body
      )
    }
  }

  @_disfavoredOverload
  public func onExitRequest(
    in scope: LifecycleScope,
    using body: @escaping @Sendable (LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) {
    call({ $0.onExitRequest(in: scope, using: body) }, { $0.onExitRequest(in: scope, using: body) })
  }
}
