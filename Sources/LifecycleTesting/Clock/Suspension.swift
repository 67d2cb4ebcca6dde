import LifecycleSupport
import ReactiveLifecycle

/// A wait of one task, which is ended once, by others, at any time, even before the task waits.
/// Thread-safe.
final class Suspension: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Void, any Error>)
    case ended(Result<Void, any Error>)
  }

  private let state = Locked(State.open)

  /// Suspends the task until the first call of ``end(_:)``. Call this method only once.
  ///
  /// - Parameter onCancel: Called when the task is cancelled, or immediately if it already was;
  ///   ends the suspension.
  func wait(onCancel: @escaping @Sendable () -> Void) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Void, any Error>? in
          if case .ended(let result) = state { return result }
          state = .waiting(continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      onCancel()
    }
  }

  /// Resumes the task, or throws into it. Has no effect if the suspension has already ended.
  func end(_ result: Result<Void, any Error> = .success(())) {
    let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      switch state {
      case .open:
        state = .ended(result)
        return nil
      case .waiting(let continuation):
        state = .ended(result)
        return continuation
      case .ended:
        return nil
      }
    }
    continuation?.resume(with: result)
  }

  /// Throws `CancellationError` into the task.
  func cancel() {
    end(.failure(CancellationError()))
  }
}
