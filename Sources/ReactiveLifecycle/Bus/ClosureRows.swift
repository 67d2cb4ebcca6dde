// A closure is moved out of its row for the call and back after it. Nobody else looks at it meanwhile
// (`ObserverRow`), and a call in place would count a reference more, which takes longer than the call.

/// A closure that wants events.
final class ClosureRow: ObserverRow, @unchecked Sendable {
  private var body: ((LifecycleEvent) -> Void)?

  init(
    core: BusCore,
    kinds: KindFilter,
    site: CallSite,
    identity: ObserverIdentity? = nil,
    body: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    self.body = body
    super.init(core: core, kinds: kinds, site: site, identity: identity)
  }

  override func receive(_ event: LifecycleEvent) {
    guard let body else { return }
    self.body = nil
    body(event)
    self.body = body
  }

  override func clear() { _ = body.take() }
}

/// A closure with an owner that it does not keep alive.
///
/// Not generic over the owner: calls through a generic class look its metadata up every time.
final class OwnerRow: ObserverRow, @unchecked Sendable {
  /// Its place in the table of observers with owners, guarded by the lock of the bus; -1 for none.
  var place: Int32 = -1
  private weak let owner: AnyObject?
  private var body: ((AnyObject, LifecycleEvent) -> Void)?

  init<Owner: AnyObject>(
    core: BusCore,
    kinds: KindFilter,
    site: CallSite,
    identity: ObserverIdentity?,
    owner: Owner,
    body: @escaping @Sendable (Owner, LifecycleEvent) -> Void
  ) {
    self.owner = owner
    self.body = erasingOwner(body)
    super.init(core: core, kinds: kinds, site: site, identity: identity)
  }

  override func receive(_ event: LifecycleEvent) {
    guard let owner else { return cancel() }
    guard let body else { return }
    self.body = nil
    body(owner, event)
    self.body = body
  }

  override var isListed: Bool { owner != nil }

  override var withOwner: OwnerRow? { self }

  /// Leaves if its owner is gone. Called where the bus delivers: the owner may be released here.
  func leaveIfOrphaned() {
    if owner == nil { cancel() }
  }

  override func clear() {
    _ = body.take()
  }
}

/// A closure that is called once per return to the foreground, with what was captured on the way to
/// the background.
final class ReturnRow<Captured>: ObserverRow, @unchecked Sendable {
  private var capture: (() -> Captured)?
  private var captured: Captured?
  private var body: ((LifecycleEvent, BackgroundStay, Captured?) -> Void)?

  init(
    core: BusCore,
    site: CallSite,
    identity: ObserverIdentity?,
    capture: (@Sendable () -> Captured)?,
    body: @escaping @Sendable (LifecycleEvent, BackgroundStay, Captured?) -> Void
  ) {
    self.capture = capture
    self.body = body
    let kinds: [LifecycleEvent.Kind] =
      capture == nil ? [.willEnterForeground] : [.didEnterBackground, .willEnterForeground]
    super.init(core: core, kinds: KindFilter(kinds), site: site, identity: identity)
  }

  override func receive(_ event: LifecycleEvent) {
    if event.kind == .didEnterBackground {
      captured = capture?()
    } else if let stay = event.backgroundStay {
      body?(event, stay, captured.take())
    }
  }

  override func clear() {
    _ = (capture.take(), captured.take(), body.take())
  }
}
