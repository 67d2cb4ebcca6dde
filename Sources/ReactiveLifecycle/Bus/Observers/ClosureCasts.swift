// A main-actor closure and a nonisolated one have the same representation; the standard library's
// `MainActor.assumeIsolated` relies on that, too. A `LifecycleBus` calls the closures it is given
// only on the main actor (`DeliveryContext.mainActor`), so a check at each call is not needed.

package func onMainActor<Result>(
  _ body: @escaping @MainActor () -> Result
) -> @Sendable () -> Result {
  unsafeBitCast(body, to: (@Sendable () -> Result).self)
}

func onMainActor<Result>(
  _ body: @escaping @MainActor () throws -> Result
) -> @Sendable () throws -> Result {
  unsafeBitCast(body, to: (@Sendable () throws -> Result).self)
}

func onMainActor(
  _ body: @escaping @MainActor (LifecycleEvent) -> Void
) -> @Sendable (LifecycleEvent) -> Void {
  unsafeBitCast(body, to: (@Sendable (LifecycleEvent) -> Void).self)
}

func onMainActor<Owner: AnyObject>(
  _ body: @escaping @MainActor (Owner, LifecycleEvent) -> Void
) -> @Sendable (Owner, LifecycleEvent) -> Void {
  unsafeBitCast(MainActorOwnerBody(body: body), to: OwnerBody<Owner>.self).body
}

func onMainActor<Captured>(
  _ body: @escaping @MainActor (BackgroundStay, Captured?) -> Void
) -> @Sendable (BackgroundStay, Captured?) -> Void {
  unsafeBitCast(body, to: (@Sendable (BackgroundStay, Captured?) -> Void).self)
}

// A reference to a class and one to `AnyObject` are passed in the same way.

func erasingOwner<Owner: AnyObject>(
  _ body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
) -> @Sendable (AnyObject, LifecycleEvent) -> Void {
  unsafeBitCast(OwnerBody(body: body), to: AnyObjectBody.self).body
}

// As fields of structs, the functions are cast without a change. As values of a generic function,
// they would be wrapped, and each wrapper would cost as much as a call.

private struct MainActorOwnerBody<Owner: AnyObject> {
  let body: @MainActor (Owner, LifecycleEvent) -> Void
}

private struct OwnerBody<Owner: AnyObject> {
  let body: @Sendable (Owner, LifecycleEvent) -> Void
}

private struct AnyObjectBody {
  let body: @Sendable (AnyObject, LifecycleEvent) -> Void
}
