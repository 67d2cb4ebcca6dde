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
