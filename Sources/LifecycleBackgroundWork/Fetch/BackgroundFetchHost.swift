import LifecycleSupport

/// A type that wakes the process up to fetch new data: the scheduler of background tasks, a timer
/// on Linux, or a double in tests.
///
/// ```swift
/// host.setMinimumInterval(.seconds(900))
/// host.setFetchHandler { request in
///   feed.refresh { isNew in request.complete(isNew ? .newData : .noData) }
/// }
/// ```
public protocol BackgroundFetchHost: Sendable {
  /// Sets how often the process wants to be woken up. Thread-safe.
  ///
  /// The time between two fetches is at least the interval, and longer if the system chooses. With
  /// `BGTaskScheduler`, it is the earliest date of a refresh that is submitted again after each
  /// one. An interval that is set again, as at each launch, postpones no fetch.
  ///
  /// - Parameter interval: The interval, which is not negative; zero for as often as the system
  ///   allows. Nil, the initial value, for never.
  func setMinimumInterval(_ interval: Duration?)

  /// Sets the handler that performs a fetch.
  ///
  /// Thread-safe. A host has one handler at a time: a new one replaces the previous one, which
  /// keeps the fetches that it has received.
  ///
  /// Set the handler before the process has finished launching: the system may have launched it for
  /// a fetch.
  ///
  /// - Parameter handler: Called on any thread for each fetch, even while an earlier fetch is not
  ///   complete. It must not wait for the work: the work that it starts completes the request. If
  ///   nil, there is nothing to fetch, and each request is answered with `noData`.
  func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?)
}

/// The result of a background fetch.
public enum BackgroundFetchResult: String, Sendable, Hashable, Codable, CaseIterable {
  /// There is new data; the system takes another picture of the screen.
  case newData
  /// There is no new data.
  case noData
  /// The fetch could not determine whether there is new data.
  case failed
}

/// A request for one fetch, as a ``BackgroundFetchHost`` passes it to its handler.
///
/// A request must be completed exactly once, and in time. UIKit raises an exception for a second
/// completion (`performFetchWithCompletionHandler`), and launches an application less often if it
/// omits one. The request forwards each call; the effect of a second one depends on the host.
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

  /// The time available for the fetch, from the call of the handler, on a clock that counts sleep.
  package let deadline: Duration
  private let onCompletion: @Sendable (BackgroundFetchResult) -> Void
  private let state = Locked(State.running(onExpiration: nil))

  /// Creates a request, for hosts.
  ///
  /// - Parameters:
  ///   - deadline: The time available, from now.
  ///   - onCompletion: Called on the thread that completes, for each completion, without a lock.
  public init(
    deadline: Duration,
    onCompletion: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) {
    self.deadline = deadline
    self.onCompletion = onCompletion
  }

  /// Completes the request with the result of the fetch.
  ///
  /// Thread-safe; to be called once. The process may be suspended after that.
  public func complete(_ result: BackgroundFetchResult) {
    // The captures of the expiration handler are released last.
    withExtendedLifetime(state.exchange(.completed)) { onCompletion(result) }
  }

  /// Sets a closure that is called if the system wants the process to stop before the deadline, as
  /// `BGTask` indicates with its `expirationHandler`.
  ///
  /// The closure is called at most once, and never after the completion. When it is called, the
  /// request must be completed at once. Thread-safe.
  ///
  /// - Parameter body: Called on any thread, and at once if time is already up. It replaces the
  ///   previous closure.
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

  /// Ends the time of the request; for hosts.
  ///
  /// A second call has no effect, nor does a call after the completion. Thread-safe; the body of
  /// ``onExpiration(_:)`` is called on the caller's thread.
  public func expire() {
    let onExpiration: (@Sendable () -> Void)? = state.withLock { state in
      guard case .running(let onExpiration) = state else { return nil }
      state = .expired
      return onExpiration
    }
    onExpiration?()
  }
}
