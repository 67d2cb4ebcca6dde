// The unsafe code of the core, each piece with the proof that it is right.

// MARK: Closures that are called on the main actor

// A `LifecycleBus` calls the closures it is given only on the main actor
// (`DeliveryContext.mainActor`), so they may be called as if they had no isolation. To wrap them in
// `MainActor.assumeIsolated` would check that at each event, and pass the event through a generic
// function. They are cast instead: a main-actor closure and a nonisolated one have the same
// representation, on which `MainActor.assumeIsolated` itself relies. The functions are not generic
// in the types of the closures they cast, as those of a generic function would be wrapped.
// `ClosureCastsTests` checks the arguments, what is retained, and, in optimized builds, the
// representation.

func onMainActor(
  _ body: @escaping @MainActor (LifecycleEvent) -> Void
) -> @Sendable (LifecycleEvent) -> Void {
  unsafeBitCast(body, to: (@Sendable (LifecycleEvent) -> Void).self)
}

private func castToNonisolated(
  _ body: @escaping @MainActor (AnyObject, LifecycleEvent) -> Void
) -> @Sendable (AnyObject, LifecycleEvent) -> Void {
  unsafeBitCast(body, to: (@Sendable (AnyObject, LifecycleEvent) -> Void).self)
}

// MARK: Owners

// An `OwnerRow` is not generic over its owner. It calls the closure with the object that it was
// created with, and `LifecycleBusCore.addObserver` creates it with an owner of the closure's type.

func onMainActor<Owner: AnyObject>(
  _ body: @escaping @MainActor (Owner, LifecycleEvent) -> Void
) -> @Sendable (AnyObject, LifecycleEvent) -> Void {
  castToNonisolated { owner, event in body(unsafeDowncast(owner, to: Owner.self), event) }
}

// MARK: Texts

/// A static text in the space of a pointer.
///
/// `@unchecked Sendable`: the text is never written, and lives as long as the program.
struct StaticText: @unchecked Sendable {
  private let start: UnsafePointer<UInt8>

  /// Returns nil for a text that is a single scalar, which has no address. Others end with a zero.
  init?(_ text: StaticString) {
    guard text.hasPointerRepresentation else { return nil }
    start = text.utf8Start
  }

  var text: String { String(cString: start) }
}
