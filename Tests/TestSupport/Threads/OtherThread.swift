import Foundation
import LifecycleSupport
import ReactiveLifecycle

/// Runs the body on a thread of its own and blocks until it has returned and what it holds is released.
@discardableResult
public func onOtherThread<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) -> Result {
  let body = Locked<(@Sendable () -> Result)?>(body)
  let result = Locked<Result?>(nil)
  let finished = DispatchSemaphore(value: 0)
  Thread {
    let value = body.withLock { $0.take() }?()
    result.withLock { $0 = value }
    finished.signal()
  }.start()
  finished.wait()
  return result.withLock { $0! }
}

/// Runs the body on a thread of its own and waits for it, without blocking.
public func awaitOtherThread<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: body()) }.start()
  }
}

/// Runs the body on several threads at once and waits for all, without blocking.
///
/// None of them waits for a thread of the concurrency pool, as a task for each would.
public func awaitOtherThreads(
  _ count: Int,
  _ body: @escaping @Sendable (_ thread: Int) -> Void
) async {
  let ended = Counter()
  await withCheckedContinuation { continuation in
    for thread in 0..<count {
      Thread {
        body(thread)
        if ended.add() == count { continuation.resume() }
      }.start()
    }
  }
}
