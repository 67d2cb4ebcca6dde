// The calls that are guessed most often and that don't exist, with the remedy as the compiler's
// message. The compiler considers them only where nothing that is available compiles, so they don't
// delay correct code.

/// Not available: a phase is not an event, and begins with one.
@available(
  *,
  unavailable,
  message: "a phase is not an event: pass the event that begins it, such as .didEnterBackground"
)
extension LifecycleEvent.Kinds {
  /// Not available: use `didBecomeActive`.
  public static var active: Self { [] }
  /// Not available: use `didEnterBackground`.
  public static var background: Self { [] }
  /// Not available: use `willEnterForeground`.
  public static var foreground: Self { [] }
}

extension LifecycleBus {
  /// Not available: a list of kinds has brackets.
  @available(
    *,
    unavailable,
    message: "put the kinds in brackets: for: [.didEnterBackground, .willTerminate]"
  )
  public func addObserver(
    for first: LifecycleEvent.Kind,
    _ second: LifecycleEvent.Kind,
    _ others: LifecycleEvent.Kind...,
    in scope: consuming LifecycleScope,
    using body: @MainActor (LifecycleEvent) async throws -> Void
  ) {}

  /// Not available: observers are synchronous.
  @available(
    *,
    unavailable,
    message: "an observer can't await or throw: in it, call scope.task or startBackgroundTask"
  )
  public func addObserver(
    for kinds: LifecycleEvent.Kinds = .all,
    in scope: consuming LifecycleScope? = nil,
    id: (any Hashable & Sendable)? = nil,
    catchUp: LifecycleCatchUp = .nothing,
    using body: @MainActor (LifecycleEvent) async throws -> Void
  ) {}
}

/// Not available: an observer needs a scope or an owner, and is synchronous.
@available(
  *,
  unavailable,
  message: "pass in: scope, or an owner; to await or throw, call scope.task in the closure"
)
extension LifecycleBus {
  /// Not available: an observer needs a scope or an owner, and is synchronous.
  public func onOpen(
    after duration: Duration = .zero,
    at moment: LifecycleOpening.Moment = .visible,
    in scope: consuming LifecycleScope? = nil,
    id: (any Hashable & Sendable)? = nil,
    initial: Bool = true,
    using body: @MainActor (LifecycleOpening) async throws -> Void
  ) {}

  /// Not available: an observer needs a scope or an owner, and is synchronous.
  public func onReturn(
    after duration: Duration = .zero,
    at moment: LifecycleOpening.Moment = .visible,
    in scope: consuming LifecycleScope? = nil,
    id: (any Hashable & Sendable)? = nil,
    using body: @MainActor (BackgroundStay) async throws -> Void
  ) {}
}
