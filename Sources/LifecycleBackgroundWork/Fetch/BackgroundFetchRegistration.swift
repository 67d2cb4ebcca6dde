public import LifecycleCombine
import ReactiveLifecycle

/// One handler's registration with a ``BackgroundFetchCoordinator``.
///
/// Unless a scope holds it, the handler is removed when this is released.
///
/// ```swift
/// let registration = fetches.addHandler(named: "inbox") { .newData }
/// registration.cancel()
/// ```
public final class BackgroundFetchRegistration: Cancellable, Sendable {
  private let handler: BackgroundFetchHandler
  private let cancelsOnRelease: Bool

  init(_ handler: BackgroundFetchHandler, cancelsOnRelease: Bool) {
    self.handler = handler
    self.cancelsOnRelease = cancelsOnRelease
  }

  deinit {
    if cancelsOnRelease { handler.remove() }
  }

  /// Whether the handler takes part in fetches. Any thread.
  public var isActive: Bool { !handler.isRemoved }

  /// Removes the handler. Where it runs, it is cancelled, and does not count for the fetch; an answer
  /// that it has given stays. Any thread; the second call does nothing.
  public func cancel() {
    handler.remove()
  }
}

extension BackgroundFetchRegistration: ScopeMember {
  package func scopeDidEnd() { cancel() }

  package var hasEnded: Bool { !isActive }
}
