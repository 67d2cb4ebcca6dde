extension LifecycleBus {
  /// Adds an observer, like
  /// ``LifecycleBusProtocol/addObserver(for:catchUp:fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor.
  ///
  /// ```swift
  /// token = bus.addObserver(for: [.didEnterBackground, .willTerminate]) { _ in save() }
  /// ```
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.addObserver(kinds, catchUp, site, onMainActor(body))
  }

  /// Adds an observer to a scope, like
  /// ``LifecycleBusProtocol/addObserver(for:in:id:catchUp:fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor.
  ///
  /// ```swift
  /// bus.addObserver(in: scope, id: "log") { event in print(event.kind) }
  /// ```
  @discardableResult
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    return core.addObserver(kinds, in: scope, id: id, catchUp, site, onMainActor(body))
  }

  /// Adds an observer with an owner, like
  /// ``LifecycleBusProtocol/addObserver(_:for:id:catchUp:fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor.
  ///
  /// ```swift
  /// bus.addObserver(self) { viewModel, event in viewModel.log(event) }
  /// ```
  ///
  /// If the compiler objects to a "call to main actor-isolated instance method … in a synchronous
  /// nonisolated context", annotate the owner's class with `@MainActor`. In the Swift 5 language
  /// mode, the form with a scope compiles in any class:
  /// `bus.addObserver(in: scope) { [weak self] event in … }`.
  @discardableResult
  @MainActor
  public func addObserver<Owner: AnyObject>(
    _ owner: Owner,
    for kinds: LifecycleEvent.Kinds = .all,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (Owner, LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.addObserver(owner, kinds, id: id, catchUp, site, onMainActor(body))
  }

  /// Adds an observer with an owner, like
  /// ``LifecycleBusProtocol/addObserver(_:for:id:catchUp:fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor. This form can be called off the main actor.
  @discardableResult
  public func addObserver<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    for kinds: LifecycleEvent.Kinds = .all,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
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
