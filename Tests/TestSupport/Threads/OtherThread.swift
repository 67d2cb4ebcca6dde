import Foundation
import IssueReporting
import LifecycleSupport
import ReactiveLifecycle

// No test is current on a thread that no task started: what is reported there would fail none. So these
// report it once more when the thread has ended, where they were called.

/// Runs the body on a thread of its own and blocks until it has returned and what it holds is released.
@discardableResult
public func onOtherThread<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) -> Result {
  let body = Locked<(@Sendable () -> Result)?>(body)
  let result = Locked<Result?>(nil)
  let (recorder, finished) = (IssueRecorder(), DispatchSemaphore(value: 0))
  Thread {
    withIssueReporters([recorder]) {
      let value = body.withLock { $0.take() }?()
      result.withLock { $0 = value }
    }
    finished.signal()
  }.start()
  finished.wait()
  recorder.reportAgain()
  return result.withLock { $0! }
}

/// Runs the body on a thread of its own and waits for it, without blocking.
public func awaitOtherThread<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) async -> Result {
  let recorder = IssueRecorder()
  let result = await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: withIssueReporters([recorder], operation: body)) }
      .start()
  }
  recorder.reportAgain()
  return result
}

/// Runs the body on several threads at once and waits for all, without blocking.
///
/// None waits for a thread of the concurrency pool, as a task for each would, and none begins before all
/// exist.
///
/// - Parameter thread: The number of the thread, from 0 on.
public func awaitOtherThreads(
  _ count: Int,
  _ body: @escaping @Sendable (_ thread: Int) -> Void
) async {
  precondition(count > 0, "nothing would end the wait")
  let (begin, ended) = (DispatchSemaphore(value: 0), Counter())
  let recorder = IssueRecorder()
  await withCheckedContinuation { continuation in
    for thread in 0..<count {
      Thread {
        begin.wait()
        withIssueReporters([recorder]) { body(thread) }
        if ended.add() == count { continuation.resume() }
      }.start()
    }
    for _ in 0..<count { begin.signal() }
  }
  recorder.reportAgain()
}
