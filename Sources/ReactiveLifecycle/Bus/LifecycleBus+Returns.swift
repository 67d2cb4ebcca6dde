extension LifecycleBus {
  /// Calls the closure once per return to the foreground, like
  /// ``LifecycleBusProtocol/onReturn(fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor.
  ///
  /// ```swift
  /// token = bus.onReturn { stay in refresh(after: stay.duration) }
  /// ```
  public func onReturn(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (BackgroundStay) -> Void
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

  /// Calls the closure once per return, until the scope ends, like
  /// ``LifecycleBusProtocol/onReturn(in:id:fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor.
  ///
  /// ```swift
  /// bus.onReturn(in: scope) { stay in refresh(after: stay.duration) }
  /// ```
  @discardableResult
  public func onReturn(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (BackgroundStay) -> Void
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

  /// Captures a value on the way to the background, and calls the closure with it once per return,
  /// like ``LifecycleBusProtocol/onReturn(in:id:fileID:filePath:line:column:capturing:using:)``.
  ///
  /// Both closures run on the main actor.
  ///
  /// ```swift
  /// bus.onReturn(in: scope, capturing: { player.position }) { stay, position in
  ///   player.resume(at: position)
  /// }
  /// ```
  @discardableResult
  public func onReturn<Captured>(
    in scope: consuming LifecycleScope,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    capturing capture: @escaping @MainActor () -> Captured,
    using body: @escaping @MainActor (BackgroundStay, Captured?) -> Void
  ) -> LifecycleSubscription {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = (consume scope).core
    return core.addReturnObserver(
      in: scope,
      id: id,
      site,
      capturing: onMainActor(capture),
      onMainActor(body)
    )
  }

  /// Calls the closure once per return, until the owner is released, like
  /// ``LifecycleBusProtocol/onReturn(_:id:fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor.
  ///
  /// ```swift
  /// bus.onReturn(self) { viewModel, stay in viewModel.refresh(after: stay.duration) }
  /// ```
  ///
  /// If the compiler objects to a "call to main actor-isolated instance method … in a synchronous
  /// nonisolated context", annotate the owner's class with `@MainActor`. In the Swift 5 language
  /// mode, the form with a scope compiles in any class:
  /// `bus.onReturn(in: scope) { [weak self] stay in … }`.
  @discardableResult
  @MainActor
  public func onReturn<Owner: AnyObject>(
    _ owner: Owner,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (Owner, BackgroundStay) -> Void
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

  /// Calls the closure once per return, until the owner is released, like
  /// ``LifecycleBusProtocol/onReturn(_:id:fileID:filePath:line:column:using:)``.
  ///
  /// The closure runs on the main actor. This form can be called off the main actor.
  @discardableResult
  public func onReturn<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    id: (any Hashable & Sendable)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    using body: @escaping @MainActor (Owner, BackgroundStay) -> Void
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
