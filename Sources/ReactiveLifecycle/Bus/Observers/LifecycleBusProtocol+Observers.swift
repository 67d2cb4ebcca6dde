// Closures run where the bus delivers: on the thread that sends the event for a
// `NonisolatedLifecycleBus`, on the main actor for a `LifecycleBus`. The latter has main-actor
// forms as well, and prefers them.
extension LifecycleBusProtocol {
  /// Observes until the token is cancelled or released.
  ///
  /// ```swift
  /// token = bus.addObserver(for: [.didEnterBackground, .willTerminate]) { _ in save() }
  /// ```
  ///
  /// The closure runs on the thread that sends the event; for a ``LifecycleBus``, on the main
  /// actor. Thread-safe.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that the observer receives.
  ///   - catchUp: The past events that the observer receives when it joins.
  ///   - body: Called with each event.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: A token that cancels when it is released.
  /// - Complexity: O(1) amortized, like every registration.
  @_disfavoredOverload
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    catchUp: LifecycleCatchUp = .nothing,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.addObserver(kinds, catchUp, site, body)
  }

  /// Observes until the scope ends.
  ///
  /// ```swift
  /// bus.addObserver(in: scope, id: "log") { event in print(event.kind) }
  /// ```
  ///
  /// The closure runs on the thread that sends the event; for a ``LifecycleBus``, on the main
  /// actor. If the scope has ended, the observer is not added, and that is reported at the caller's
  /// line. Thread-safe.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that the observer receives.
  ///   - scope: The scope that holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - catchUp: The past events that the observer receives when it joins.
  ///   - body: Called with each event.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: A token that can cancel the observer earlier; releasing it has no effect.
  @_disfavoredOverload
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
    using body: @escaping @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    return core.addObserver(kinds, in: scope, id: id, catchUp, site, body)
  }

  /// Observes until the owner is released, without keeping the owner alive.
  ///
  /// ```swift
  /// bus.addObserver(self) { log, event in log.append(event.kind) }
  /// ```
  ///
  /// The closure runs on the thread that sends the event; for a ``LifecycleBus``, on the main
  /// actor. Thread-safe.
  ///
  /// - Parameters:
  ///   - owner: An object that is held weakly, and passed to the closure. After the owner's
  ///     release, the closure is released as other observers register, and no later than the next
  ///     event that it would receive.
  ///   - kinds: The kinds that the observer receives.
  ///   - id: Replaces the owner's observer on this bus that has an equal identifier.
  ///   - catchUp: The past events that the observer receives when it joins.
  ///   - body: Called with the owner and each event.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: A token that can cancel the observer earlier; releasing it has no effect.
  @_disfavoredOverload
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
    using body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return core.addObserver(owner, kinds, id: id, catchUp, site, erasingOwner(body))
  }
}
