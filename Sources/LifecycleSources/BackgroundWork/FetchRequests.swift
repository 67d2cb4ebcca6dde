import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// The common part of the hosts of Apple's platforms.
///
/// It holds the handler, and ensures that the completion of each fetch reaches the system exactly
/// once.
final class FetchRequests: Sendable {
  typealias Handler = @Sendable (BackgroundFetchRequest) -> Void

  private enum State {
    case untouched
    case set(Handler?)
  }

  private let site: CallSite
  private let state = Locked(State.untouched)

  /// - Parameter site: The place where the host was created.
  init(_ site: CallSite) { self.site = site }

  func setHandler(_ handler: Handler?) {
    state.exchange(.set(handler))
  }

  /// Passes a fetch to the handler; without a handler, completes the fetch with no new data, which
  /// is reported if none was ever set.
  ///
  /// - Parameters:
  ///   - prepare: Receives the request before anything else does.
  ///   - completion: Called on the thread that makes the first completion; with `failed` if the
  ///     request is released without a completion.
  func begin(
    deadline: Duration,
    prepare: (BackgroundFetchRequest) -> Void = { _ in },
    completion: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) {
    // The receiver keeps the request, which releases the system's part when that is done.
    let answer = SystemAnswer(completion)
    let request = BackgroundFetchRequest(deadline: deadline) { answer.give($0) }
    prepare(request)
    switch state.withLock({ $0 }) {
    case .set(let handler?): handler(request)
    case .set(nil): request.complete(.noData)
    case .untouched:
      site.report(
        """
        A background fetch arrived before a handler was set, so it was answered with noData. \
        Connect the host before the application has finished launching.
        """
      )
      request.complete(.noData)
    }
  }

  /// Passes a fetch to the handler; without a handler, completes the fetch with no new data.
  ///
  /// - Parameter completion: Called on the main actor, for the first completion. If that is made on
  ///   the main thread, the call happens before it returns.
  func beginOnMainActor(
    deadline: Duration,
    completion: @escaping @MainActor @Sendable (BackgroundFetchResult) -> Void
  ) {
    begin(deadline: deadline) { result in
      // The process may be ending, so on the main thread the call must not be deferred.
      MainQueue.run { completion(result) }
    }
  }
}

/// The system's part of a fetch, which is answered once.
private final class SystemAnswer: Sendable {
  typealias Body = @Sendable (BackgroundFetchResult) -> Void

  private let body: Locked<Body?>

  init(_ body: @escaping Body) { self.body = Locked(body) }

  /// No one can complete the fetch from here on.
  deinit { give(.failed) }

  func give(_ result: BackgroundFetchResult) {
    body.take()?(result)
  }
}
