// A `LifecycleBus` calls the closures it is given only on the main actor
// (`DeliveryContext.mainActor`).
//
// Closures that are called for each event are cast instead of wrapped: a main-actor closure and a
// nonisolated one have the same representation, on which the standard library's
// `MainActor.assumeIsolated` relies, too. `ClosureCastsTests` checks that. `check-counts` showed, for
// wrappers:
//
// - `assumeIsolated` at each event: 1,137 instructions a call instead of 79 (`event-100-closures`),
//   1,492 instead of 225 with an owner (`event-100-owners`), and one allocation in each call;
// - a wrapper that casts the owner: 288 instead of 225, and 40 bytes more per live observer.

func onMainActor(
  _ body: @escaping @MainActor (LifecycleEvent) -> Void
) -> @Sendable (LifecycleEvent) -> Void {
  unsafeBitCast(body, to: (@Sendable (LifecycleEvent) -> Void).self)
}

func onMainActor(
  _ body: @escaping @MainActor (AnyObject, LifecycleEvent) -> Void
) -> @Sendable (AnyObject, LifecycleEvent) -> Void {
  unsafeBitCast(body, to: (@Sendable (AnyObject, LifecycleEvent) -> Void).self)
}

// Closures that are called once per stay or per call check the isolation. What they pass does not
// leave the main actor, so it need not be `Sendable`.

package func onMainActor<Result>(
  _ body: @escaping @MainActor () -> Result
) -> @Sendable () -> Result {
  { MainActor.assumeIsolated { UncheckedSendable(body()) }.value }
}

func onMainActor<Captured>(
  _ body: @escaping @MainActor (BackgroundStay, Captured?) -> Void
) -> @Sendable (BackgroundStay, Captured?) -> Void {
  { stay, captured in
    let captured = UncheckedSendable(captured)
    MainActor.assumeIsolated { body(stay, captured.value) }
  }
}
