extension LifecycleBusProtocol {
  /// Calls the closure once per return to the foreground, until the token is cancelled or released.
  ///
  /// ```swift
  /// token = bus.onReturn { stay in refresh(after: stay.duration) }
  /// ```
  ///
  /// A return is a `willEnterForeground` after a `didEnterBackground`: it carries the stay as
  /// ``LifecycleEvent/backgroundStay``. The first `willEnterForeground` after launch is not a
  /// return.
  ///
  /// The closure runs on the thread that sends the event; for a ``LifecycleBus``, on the main
  /// actor. Thread-safe.
  ///
  /// - Parameter body: Called with the stay.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter filePath: The path of the call site's file.
  /// - Parameter line: The line of the call site.
  /// - Parameter column: The column of the call site.
  /// - Returns: A token that cancels when it is released.
  @_disfavoredOverload
  public func onReturn(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (BackgroundStay) -> Void
  ) -> LifecycleSubscription {
    addObserver(
      for: .willEnterForeground,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    ) { event in
      if let stay = event.backgroundStay { body(stay) }
    }
  }

  /// Calls the closure once per return to the foreground, until the scope ends.
  ///
  /// ```swift
  /// bus.onReturn(in: scope) { stay in refresh(after: stay.duration) }
  /// ```
  ///
  /// A return is a `willEnterForeground` after a `didEnterBackground`: it carries the stay as
  /// ``LifecycleEvent/backgroundStay``. The first `willEnterForeground` after launch is not a
  /// return.
  ///
  /// The closure runs on the thread that sends the event; for a ``LifecycleBus``, on the main
  /// actor. If the scope has ended, the observer is not added, and that is reported at the caller's
  /// line. Thread-safe.
  ///
  /// - Parameters:
  ///   - scope: The scope that holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - body: Called with the stay.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: A token that can cancel the observer earlier; releasing it has no effect.
  @_disfavoredOverload
  @discardableResult
  public func onReturn(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (BackgroundStay) -> Void
  ) -> LifecycleSubscription {
    addObserver(
      for: .willEnterForeground,
      in: consume scope,
      id: id,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    ) { event in
      if let stay = event.backgroundStay { body(stay) }
    }
  }

  /// Captures a value on the way to the background, and calls the closure with it once per return
  /// to the foreground, until the scope ends.
  ///
  /// ```swift
  /// bus.onReturn(in: scope, capturing: { player.position }) { stay, position in
  ///   player.resume(at: position)
  /// }
  /// ```
  ///
  /// The value is captured before any observer receives `didEnterBackground`, so that an observer
  /// that pauses the player may be registered before or after this one.
  ///
  /// Both closures run on the thread that sends the event; for a ``LifecycleBus``, on the main
  /// actor. If the scope has ended, the observer is not added, and that is reported at the caller's
  /// line. Thread-safe.
  ///
  /// - Parameters:
  ///   - scope: The scope that holds the observer.
  ///   - id: Replaces the scope's observer on this bus that has an equal identifier.
  ///   - capture: Called before any observer of `didEnterBackground`. Several are called in order
  ///     of registration.
  ///   - body: Called with the stay and the captured value, which is nil if the observer joined
  ///     after that.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: A token that can cancel the observer earlier; releasing it has no effect.
  @_disfavoredOverload
  @discardableResult
  public func onReturn<Captured: Sendable>(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    capturing capture: @escaping @Sendable () -> Captured,
    using body: @escaping @Sendable (BackgroundStay, Captured?) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    return core.addReturnObserver(in: scope, id: id, site, capturing: capture, body)
  }

  /// Calls the closure once per return to the foreground, until the owner is released, without
  /// keeping the owner alive.
  ///
  /// ```swift
  /// bus.onReturn(self) { log, stay in log.append(stay.duration) }
  /// ```
  ///
  /// A return is a `willEnterForeground` after a `didEnterBackground`: it carries the stay as
  /// ``LifecycleEvent/backgroundStay``. The first `willEnterForeground` after launch is not a
  /// return.
  ///
  /// The closure runs on the thread that sends the event; for a ``LifecycleBus``, on the main
  /// actor. Thread-safe.
  ///
  /// - Parameters:
  ///   - owner: An object that is held weakly, and passed to the closure. After the owner's
  ///     release, the closure is released as other observers register, and no later than the next
  ///     `willEnterForeground`.
  ///   - id: Replaces the owner's observer on this bus that has an equal identifier.
  ///   - body: Called with the owner and the stay.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: A token that can cancel the observer earlier; releasing it has no effect.
  @_disfavoredOverload
  @discardableResult
  public func onReturn<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @Sendable (Owner, BackgroundStay) -> Void
  ) -> LifecycleSubscription {
    addObserver(
      owner,
      for: .willEnterForeground,
      id: id,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    ) { owner, event in
      if let stay = event.backgroundStay { body(owner, stay) }
    }
  }
}
