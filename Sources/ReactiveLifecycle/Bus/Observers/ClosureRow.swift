/// A closure that receives events.
///
/// `@unchecked Sendable`: its mutable state is part of the row's contents; see `ObserverRow`.
final class ClosureRow: ObserverRow, @unchecked Sendable {
  private var body: ((LifecycleEvent) -> Void)?

  init(
    core: LifecycleBusCore,
    kinds: LifecycleEvent.Kinds,
    site: CallSite,
    identity: ObserverIdentity? = nil,
    body: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    self.body = body
    super.init(core: core, kinds: kinds, site: site, identity: identity)
  }

  override func receive(_ event: LifecycleEvent) {
    guard let body else { return }
    // Moved out of the row for the call, and back after it. No other code reads it meanwhile, and a
    // call in place would retain it once more, which takes longer than the call.
    self.body = nil
    body(event)
    self.body = body
  }

  override func clear() { _ = body.take() }
}
