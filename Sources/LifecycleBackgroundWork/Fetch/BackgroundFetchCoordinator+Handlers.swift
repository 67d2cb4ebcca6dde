public import ReactiveLifecycle

extension BackgroundFetchCoordinator {
  /// Adds a handler that takes part in the fetches until the scope ends.
  ///
  /// ```swift
  /// fetches.addHandler(named: "inbox", in: scope) {
  ///   try await inbox.refresh() ? .newData : .noData
  /// }
  /// ```
  ///
  /// Thread-safe. In a scope that has ended no handler is added, which is reported at the caller's
  /// line.
  ///
  /// - Parameters:
  ///   - name: The name that reports show.
  ///   - scope: The scope that holds the handler.
  ///   - body: Called on a dedicated thread unless it is isolated, once for each fetch. Any error
  ///     that it throws is a failure. It should respond to cancellation: an answer after that is
  ///     reported at the line of this call, unless it is a failure.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The registration, which removes the handler early when it is cancelled, but not
  ///   when it is released. A handler that is removed while it runs is cancelled, and does not
  ///   count for the fetch; an answer that it has already given stays.
  @discardableResult
  public func addHandler(
    named name: String,
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable () async throws -> BackgroundFetchReport.Handler.Outcome
  ) -> LifecycleCancellable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    return add(name, .returning(body), scope, site)
  }

  /// Adds a handler that takes part in the fetches until its registration is cancelled or released.
  ///
  /// ```swift
  /// registration = fetches.addHandler(named: "inbox") {
  ///   try await inbox.refresh() ? .newData : .noData
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name that reports show.
  ///   - body: Called on a dedicated thread unless it is isolated, once for each fetch. Any error
  ///     that it throws is a failure. It should respond to cancellation: an answer after that is
  ///     reported at the line of this call, unless it is a failure.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The registration. Cancelling or releasing it removes the handler.
  public func addHandler(
    named name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @Sendable () async throws -> BackgroundFetchReport.Handler.Outcome
  ) -> LifecycleCancellable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return add(name, .returning(body), nil, site)
  }

  /// Adds a handler that answers through a completion, until the scope ends.
  ///
  /// ```swift
  /// fetches.addHandler(named: "news", in: scope) { completion in
  ///   let download = news.download { isNew in completion.complete(isNew ? .newData : .noData) }
  ///   completion.onCancel { download.cancel() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name that reports show.
  ///   - scope: The scope that holds the handler. If it has ended, no handler is added, which is
  ///     reported.
  ///   - body: Called on a dedicated thread, or, if it is written as
  ///     `{ @MainActor completion in … }`, on the main actor, once for each fetch.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The registration, which removes the handler early when it is cancelled, but not
  ///   when it is released.
  @discardableResult
  public func addHandler(
    named name: String,
    in scope: consuming LifecycleScope,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @isolated(any) @Sendable (BackgroundFetchCompletion) -> Void
  ) -> LifecycleCancellable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    return add(name, .completing(body), scope, site)
  }

  /// Adds a handler that answers through a completion, until its registration is cancelled or
  /// released.
  ///
  /// ```swift
  /// registration = fetches.addHandler(named: "news") { completion in
  ///   news.download { isNew in completion.complete(isNew ? .newData : .noData) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name that reports show.
  ///   - body: Called on a dedicated thread, or, if it is written as
  ///     `{ @MainActor completion in … }`, on the main actor, once for each fetch.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The registration. Cancelling or releasing it removes the handler.
  public func addHandler(
    named name: String,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: @escaping @isolated(any) @Sendable (BackgroundFetchCompletion) -> Void
  ) -> LifecycleCancellable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return add(name, .completing(body), nil, site)
  }

  private func add(
    _ name: String,
    _ body: BackgroundFetchHandler.Body,
    _ scope: ScopeCore?,
    _ site: CallSite
  ) -> LifecycleCancellable {
    let handler = BackgroundFetchHandler(name, of: core, addedAt: site)
    let registration = LifecycleCancellable { handler.remove() }
    scope?.insert(registration, site) { handler.join($0) }
    core.add(handler, body)
    return registration
  }
}

extension LifecycleCancellable: ScopeMember {
  package func scopeDidEnd() { cancel() }
}
