public import LifecycleCombine

/// An observer's registration.
///
/// Cancelling takes effect at once, also during a delivery and from another thread. Cancelling it
/// again has no effect. A token that is not held by a scope or an owner cancels when it is
/// released. A token does not keep its bus alive.
///
/// ```swift
/// let token = bus.addObserver(for: .didEnterBackground) { event in save() }
/// token.cancel()
/// ```
public final class LifecycleSubscription: Cancellable, Sendable {
  private let row: ObserverRow
  private let cancelsOnRelease: Bool

  init(_ row: ObserverRow, cancelsOnRelease: Bool) {
    self.row = row
    self.cancelsOnRelease = cancelsOnRelease
  }

  deinit {
    if cancelsOnRelease { row.cancel() }
  }

  /// A Boolean value that indicates whether the observer is still registered. Thread-safe.
  public var isActive: Bool { row.isLive }

  /// Removes the observer. Thread-safe.
  ///
  /// - Complexity: O(1) amortized.
  public func cancel() {
    row.cancel()
  }
}

extension LifecycleSubscription: ScopeMember {
  package func scopeDidEnd() { cancel() }

  package var hasEnded: Bool { !isActive }
}
