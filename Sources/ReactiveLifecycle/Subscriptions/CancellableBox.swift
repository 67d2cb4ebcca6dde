import LifecycleCombine

/// A cancellable that a scope cancels once.
///
/// `@unchecked Sendable`: the reference is only cancelled and released, and only by the one thread
/// that took the box out of the scope's table under the scope's lock.
final class CancellableBox: ScopeEntry, @unchecked Sendable {
  private let cancellable: any Cancellable

  init(_ cancellable: any Cancellable) {
    self.cancellable = cancellable
  }

  override func scopeDidEnd() {
    cancellable.cancel()
  }
}
