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
  /// In a scope that has ended nothing is added, which is reported at the caller's line. Any thread.
  ///
  /// - Parameters:
  ///   - name: What reports show.
  ///   - scope: Holds the handler.
  ///   - body: Called once for each fetch, on a thread of its own unless it is isolated. What it throws
  ///     is a failure. It should mind that it is cancelled: an answer after that is reported at the line
  ///     of this call, unless it is a failure.
  /// - Returns: The registration, to remove the handler earlier; its release does not. Where a removed
  ///   handler runs, it is cancelled, and does not count for the fetch; an answer that it has given
  ///   stays.
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

  /// Adds a handler that takes part in the fetches until it is cancelled or released.
  ///
  /// ```swift
  /// let registration = fetches.addHandler(named: "inbox") {
  ///   try await inbox.refresh() ? .newData : .noData
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: What reports show.
  ///   - body: As in ``addHandler(named:in:fileID:filePath:line:column:_:)-(_,_,_,_,_,_,()->_)``.
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

  /// Adds a handler that answers by calling a completion, until the scope ends.
  ///
  /// ```swift
  /// fetches.addHandler(named: "news", in: scope) { completion in
  ///   let download = news.download { isNew in completion(isNew ? .newData : .noData) }
  ///   completion.onCancel { download.cancel() }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: What reports show.
  ///   - scope: Holds the handler. One that has ended adds nothing, which is reported.
  ///   - body: Called once for each fetch, on a thread of its own, or, if it is written as
  ///     `{ @MainActor completion in … }`, on the main actor.
  /// - Returns: The registration, to remove the handler earlier; its release does not.
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

  /// Adds a handler that answers by calling a completion, until it is cancelled or released.
  ///
  /// ```swift
  /// let registration = fetches.addHandler(named: "news") { completion in
  ///   news.download { isNew in completion(isNew ? .newData : .noData) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: What reports show.
  ///   - body: Called once for each fetch, on a thread of its own, or, if it is written as
  ///     `{ @MainActor completion in … }`, on the main actor.
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
