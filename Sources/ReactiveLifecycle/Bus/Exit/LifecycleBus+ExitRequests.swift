extension LifecycleBus {
  /// Answers exit requests, like
  /// ``LifecycleBusProtocol/onExitRequest(fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor.
  ///
  /// ```swift
  /// token = bus.onExitRequest { request in
  ///   await editor.mayClose(request) ? .exit : .cancel
  /// }
  /// ```
  public func onExitRequest(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.onExitRequest(site, body)
  }

  /// Answers exit requests until the scope ends, like
  /// ``LifecycleBusProtocol/onExitRequest(in:id:fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor.
  ///
  /// ```swift
  /// bus.onExitRequest(in: scope) { request in
  ///   await editor.mayClose(request) ? .exit : .cancel
  /// }
  /// ```
  @discardableResult
  public func onExitRequest(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    return core.onExitRequest(in: scope, id: id, site, body)
  }

  /// Answers exit requests until the owner is released, like
  /// ``LifecycleBusProtocol/onExitRequest(_:id:fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor.
  ///
  /// ```swift
  /// bus.onExitRequest(self) { editor, request in
  ///   await editor.mayClose(request) ? .exit : .cancel
  /// }
  /// ```
  ///
  /// If the compiler objects to a "call to main actor-isolated instance method … in a synchronous
  /// nonisolated context", annotate the owner's class with `@MainActor`. In the Swift 5 language
  /// mode, the form with a scope compiles in any class:
  /// `bus.onExitRequest(in: scope) { [weak self] request in … }`.
  @discardableResult
  @MainActor
  public func onExitRequest<Owner: AnyObject>(
    _ owner: Owner,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body:
      @escaping @MainActor (Owner, LifecycleExitRequest) async -> LifecycleExitRequest.Response
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    // Isolated, so that it may capture an owner that is not sendable.
    let ask: @MainActor (LifecycleExitRequest) async -> LifecycleExitRequest.Response? = {
      [weak owner] request in
      guard let owner else { return nil }
      return await body(owner, request)
    }
    return core.onExitRequest(owner, id: id, site, ask)
  }
}
