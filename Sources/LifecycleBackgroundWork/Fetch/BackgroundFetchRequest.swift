import LifecycleSupport

/// One fetch, as a ``BackgroundFetchHost`` hands it over.
///
/// It must be completed exactly once, and in time. UIKit raises an exception for a second completion
/// (`performFetchWithCompletionHandler`), and launches an application less often that leaves one out.
/// The request passes each call on; what a second one does is up to the host.
///
/// ```swift
/// host.setFetchHandler { request in
///   let download = startDownload { request.complete($0) }
///   request.onExpiration { download.cancel() }
/// }
/// ```
public final class BackgroundFetchRequest: Sendable {
  private enum State {
    case running(onExpiration: (@Sendable () -> Void)?)
    case expired
    case completed
  }

  /// How much time there is for it, from the call of the handler, on a clock that counts sleep.
  public let deadline: Duration
  private let onCompletion: @Sendable (BackgroundFetchResult) -> Void
  private let state = Locked(State.running(onExpiration: nil))

  /// A request, as a host makes it.
  ///
  /// - Parameters:
  ///   - deadline: How much time there is, from now.
  ///   - onCompletion: Called for each completion, on the thread that completes, without a lock.
  public init(
    deadline: Duration,
    onCompletion: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) {
    self.deadline = deadline
    self.onCompletion = onCompletion
  }

  /// Says what the fetch has brought. Any thread, once; the process may be suspended after that.
  public func complete(_ result: BackgroundFetchResult) {
    // What the expiration handler captured is released last.
    withExtendedLifetime(state.exchange(.completed)) { onCompletion(result) }
  }

  /// Has `body` called if the system wants the process to stop before the deadline, as `BGTask` says
  /// with its `expirationHandler`: at most once, never after the completion. The request must be
  /// completed at once then. Any thread.
  ///
  /// - Parameter body: Called on any thread; at once if the time is up already. It takes the place of
  ///   the one before.
  public func onExpiration(_ body: @escaping @Sendable () -> Void) {
    let isExpired = state.withLockDiscarding { state -> (Bool, State?) in
      switch state {
      case .running:
        defer { state = .running(onExpiration: body) }
        return (false, state)
      case .expired: return (true, nil)
      case .completed: return (false, nil)
      }
    }
    if isExpired { body() }
  }

  /// Says that the time is up: for hosts. A second call does nothing, nor does one after the
  /// completion. Any thread; the body of ``onExpiration(_:)`` is called on it.
  public func expire() {
    let onExpiration: (@Sendable () -> Void)? = state.withLock { state in
      guard case .running(let onExpiration) = state else { return nil }
      state = .expired
      return onExpiration
    }
    onExpiration?()
  }
}
