extension LifecycleBus {
  /// Observes until the token is cancelled or released.
  ///
  /// ```swift
  /// let token = bus.addObserver(for: [.didReceiveMemoryWarning]) { _ in cache.removeAll() }
  /// ```
  ///
  /// O(1) amortised, like every registration.
  ///
  /// - Parameters:
  ///   - kinds: The kinds wanted; every kind, if nil.
  ///   - catchUp: What the observer is told about the past.
  ///   - body: Called on the main actor.
  /// - Returns: A token that cancels when it is released.
  public func addObserver(
    for kinds: [LifecycleEvent.Kind]? = nil,
    catchUp: LifecycleCatchUp = .none,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.addObserver(kinds, catchUp, site, onMainActor(body))
  }

  /// Observes until the scope ends.
  ///
  /// ```swift
  /// bus.addObserver(for: [.didEnterBackground], in: scope, id: "save") { _ in save() }
  /// ```
  ///
  /// On a scope that has ended nothing is registered, which is reported at the caller's line.
  ///
  /// - Parameters:
  ///   - kinds: The kinds wanted; every kind, if nil.
  ///   - scope: Holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - catchUp: What the observer is told about the past.
  ///   - body: Called on the main actor.
  /// - Returns: A token to cancel earlier; releasing it does not.
  @discardableResult
  public func addObserver(
    for kinds: [LifecycleEvent.Kind]? = nil,
    in scope: LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .none,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.addObserver(kinds, in: scope, id: id, catchUp, site, onMainActor(body))
  }

  /// Calls the closure once per return to the foreground, until the scope ends.
  ///
  /// ```swift
  /// bus.addObserver(in: scope) { event, stay in refresh(after: stay.duration) }
  /// ```
  ///
  /// - Parameters:
  ///   - scope: Holds the observer. One that has ended registers nothing, which is reported.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - body: Called on the main actor with `willEnterForeground` and how long the process was away.
  /// - Returns: A token to cancel earlier; releasing it does not.
  @discardableResult
  public func addObserver(
    in scope: LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (LifecycleEvent, BackgroundStay) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let body = onMainActor(body)
    return core.addReturnObserver(
      in: scope,
      id: id,
      site,
      capturing: (@Sendable () -> Void)?.none
    ) { event, stay, _ in body(event, stay) }
  }

  /// Captures a value on the way to the background and hands it back on the return, until the scope
  /// ends.
  ///
  /// ```swift
  /// bus.addObserver(in: scope, capturing: { player.position }) { event, stay, position in
  ///   player.resume(at: position)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - scope: Holds the observer. One that has ended registers nothing, which is reported.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - capture: Called on the main actor, in the observer's turn of `didEnterBackground`.
  ///   - body: Called on the main actor, once per return, with what was captured: nil if the observer
  ///     joined in the background.
  /// - Returns: A token to cancel earlier; releasing it does not.
  @discardableResult
  public func addObserver<Captured>(
    in scope: LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    capturing capture: @escaping @MainActor () -> Captured,
    using body: @escaping @MainActor (LifecycleEvent, BackgroundStay, Captured?) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.addReturnObserver(
      in: scope,
      id: id,
      site,
      capturing: onMainActor(capture),
      onMainActor(body)
    )
  }

  /// Observes until the owner is released; the owner is not kept alive.
  ///
  /// ```swift
  /// bus.addObserver(self) { viewModel, event in viewModel.log(event) }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: Held weakly, and handed to the closure. After its release the closure is released
  ///     as others register, and no later than the next event of the kinds wanted.
  ///   - kinds: The kinds wanted; every kind, if nil.
  ///   - id: Replaces the owner's observer on this bus that has an equal identifier.
  ///   - catchUp: What the observer is told about the past.
  ///   - body: Called on the main actor.
  /// - Returns: A token to cancel earlier; releasing it does not.
  @discardableResult
  @MainActor
  public func addObserver<Owner: AnyObject>(
    _ owner: Owner,
    for kinds: [LifecycleEvent.Kind]? = nil,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .none,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (Owner, LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.addObserver(owner, kinds, id: id, catchUp, site, onMainActor(body))
  }

  /// Observes until the owner is released; the owner is not kept alive.
  ///
  /// ```swift
  /// bus.addObserver(self) { viewModel, event in viewModel.log(event) }
  /// ```
  ///
  /// This form can be called off the main actor.
  ///
  /// - Parameters:
  ///   - owner: Held weakly, and handed to the closure. After its release the closure is released
  ///     as others register, and no later than the next event of the kinds wanted.
  ///   - kinds: The kinds wanted; every kind, if nil.
  ///   - id: Replaces the owner's observer on this bus that has an equal identifier.
  ///   - catchUp: What the observer is told about the past.
  ///   - body: Called on the main actor.
  /// - Returns: A token to cancel earlier; releasing it does not.
  @discardableResult
  public func addObserver<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    for kinds: [LifecycleEvent.Kind]? = nil,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .none,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (Owner, LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.addObserver(owner, kinds, id: id, catchUp, site, onMainActor(body))
  }
}
