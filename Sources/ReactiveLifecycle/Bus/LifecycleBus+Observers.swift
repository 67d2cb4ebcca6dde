extension LifecycleBus {
  /// Like ``LifecycleBusProtocol/addObserver(for:catchUp:fileID:filePath:line:column:using:)``;
  /// the closure runs on the main actor.
  ///
  /// ```swift
  /// let token = bus.addObserver(for: [.didReceiveMemoryWarning]) { _ in cache.removeAll() }
  /// ```
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

  /// Like ``LifecycleBusProtocol/addObserver(for:in:id:catchUp:fileID:filePath:line:column:using:)``;
  /// the closure runs on the main actor.
  ///
  /// ```swift
  /// bus.addObserver(for: [.didEnterBackground], in: scope, id: "save") { _ in save() }
  /// ```
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

  /// Like ``LifecycleBusProtocol/addObserver(_:for:id:catchUp:fileID:filePath:line:column:using:)``;
  /// the closure runs on the main actor.
  ///
  /// ```swift
  /// bus.addObserver(self) { viewModel, event in viewModel.log(event) }
  /// ```
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

  /// Like ``LifecycleBusProtocol/addObserver(_:for:id:catchUp:fileID:filePath:line:column:using:)``;
  /// the closure runs on the main actor.
  ///
  /// This form can be called off the main actor.
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
