import ReactiveLifecycle

import class Foundation.Thread

/// What the hosts of Apple's platforms have in common: the handler, and completions that reach the
/// system exactly once, on the main actor.
final class FetchRequests: Sendable {
  private let handler = Locked<(@Sendable (BackgroundFetchRequest) -> Void)?>(nil)

  func setHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    let old = self.handler.withLock { current in
      defer { current = handler }
      return current
    }
    withExtendedLifetime(old) {}
  }

  /// Hands a fetch to the handler; without one there is nothing new.
  ///
  /// - Parameter completion: Called once: for the first completion, on the main actor, before that
  ///   returns if it is made on the main thread; with `failed` if the request is released without one.
  @discardableResult
  func begin(
    deadline: Duration,
    completion: @escaping @MainActor @Sendable (BackgroundFetchResult) -> Void
  ) -> BackgroundFetchRequest {
    let box = CompletionBox(completion)
    let request = BackgroundFetchRequest(deadline: deadline) { box.complete($0) }
    if let handler = handler.withLock({ $0 }) {
      handler(request)
    } else {
      request.complete(.noData)
    }
    return request
  }
}

/// A completion that is called once.
private final class CompletionBox: Sendable {
  typealias Body = @MainActor @Sendable (BackgroundFetchResult) -> Void

  private let body: Locked<Body?>

  init(_ body: @escaping Body) { self.body = Locked(body) }

  /// The system is answered also if the request was released without a completion.
  deinit { complete(.failed) }

  func complete(_ result: BackgroundFetchResult) {
    guard let body = body.withLock({ $0.take() }) else { return }
    // The process may be ending: on the main thread there is no later.
    if Thread.isMainThread {
      MainActor.assumeIsolated { body(result) }
    } else {
      Task { @MainActor in body(result) }
    }
  }
}
