import LifecycleBackgroundWork
import LifecycleSupport
import ReactiveLifecycle

/// What the hosts of Apple's platforms have in common: the handler, and completions that reach the
/// system exactly once.
final class FetchRequests: Sendable {
  private let handler = Locked<(@Sendable (BackgroundFetchRequest) -> Void)?>(nil)

  func setHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    self.handler.exchange(handler)
  }

  /// Hands a fetch to the handler; without one there is nothing new.
  ///
  /// - Parameters:
  ///   - prepare: Is given the request before anybody else is.
  ///   - completion: Called for the first completion, on the thread that makes it; with `failed` if the
  ///     request is released without one.
  func begin(
    deadline: Duration,
    prepare: (BackgroundFetchRequest) -> Void = { _ in },
    completion: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) {
    // The request is kept by whoever it was handed to, and lets go of the system's part when that is
    // done.
    let answer = SystemAnswer(completion)
    let request = BackgroundFetchRequest(deadline: deadline) { answer.give($0) }
    prepare(request)
    if let handler = handler.withLock({ $0 }) {
      handler(request)
    } else {
      request.complete(.noData)
    }
  }

  /// Hands a fetch to the handler; without one there is nothing new.
  ///
  /// - Parameter completion: Called for the first completion, on the main actor, before that returns
  ///   if it is made on the main thread.
  func beginOnMainActor(
    deadline: Duration,
    completion: @escaping @MainActor @Sendable (BackgroundFetchResult) -> Void
  ) {
    begin(deadline: deadline) { result in
      // The process may be ending: on the main thread there is no later.
      MainQueue.run { completion(result) }
    }
  }
}

/// The system's part of a fetch, which is answered once.
private final class SystemAnswer: Sendable {
  typealias Body = @Sendable (BackgroundFetchResult) -> Void

  private let body: Locked<Body?>

  init(_ body: @escaping Body) { self.body = Locked(body) }

  /// Nobody can give it any more.
  deinit { give(.failed) }

  func give(_ result: BackgroundFetchResult) {
    body.take()?(result)
  }
}
