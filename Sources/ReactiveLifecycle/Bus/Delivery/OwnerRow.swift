/// A closure with an owner that it does not keep alive.
///
/// Not generic over the owner: calls through a generic class look up its metadata every time.
///
/// `@unchecked Sendable`: `body` is part of the row's contents (see `ObserverRow`), the lock of the
/// bus guards `place`, and `owner` is a constant that any thread may read.
class OwnerRow: ObserverRow, @unchecked Sendable {
  /// The row's place in the table of observers with owners, guarded by the lock of the bus; -1 for
  /// none.
  final var place: Int32 = -1
  private weak let owner: AnyObject?
  private var body: ((AnyObject, LifecycleEvent) -> Void)?

  /// - Parameter body: Called with the owner as its first argument.
  init(
    core: LifecycleBusCore,
    kinds: LifecycleEvent.Kinds,
    site: CallSite,
    identity: ObserverIdentity?,
    owner: AnyObject,
    body: @escaping @Sendable (AnyObject, LifecycleEvent) -> Void
  ) {
    self.owner = owner
    self.body = body
    super.init(core: core, kinds: kinds, site: site, identity: identity)
  }

  override func receive(_ event: LifecycleEvent) {
    guard let owner else { return cancel() }
    guard let body else { return }
    // As in `ClosureRow`.
    self.body = nil
    body(owner, event)
    self.body = body
  }

  override var isListed: Bool { owner != nil }

  override var withOwner: OwnerRow? { self }

  /// Cancels the row if its owner is gone. Called where the bus delivers: the owner may be
  /// released here.
  final func leaveIfOrphaned() {
    if owner == nil { cancel() }
  }

  override func clear() {
    _ = body.take()
  }
}
