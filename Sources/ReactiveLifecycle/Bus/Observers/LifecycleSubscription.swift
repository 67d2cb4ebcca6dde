public import LifecycleCombine

/// One observer's registration.
///
/// Cancelling takes effect at once, also inside the delivery under way and from another thread; it
/// happens once, however often it is asked for. A token that is not held by a scope or an owner
/// cancels when it is released. It does not keep its bus alive.
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

  /// Whether the observer is still registered. Any thread.
  public var isActive: Bool { row.isLive }

  /// Removes the observer. Any thread; O(1) amortised.
  public func cancel() {
    row.cancel()
  }
}

extension LifecycleSubscription: ScopeMember {
  package func scopeDidEnd() { cancel() }

  package var hasEnded: Bool { !isActive }
}
