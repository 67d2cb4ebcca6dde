import Dispatch
import Foundation
import IssueReporting
import LifecycleSupport

// No test is current on a thread that no task started. What `reportIssue` reports on one of these threads
// would be lost, so it is reported to the caller when all have returned; a task that they leave behind
// comes too late for that. `#expect` and `Issue.record` fail the run there, but name no test.

/// Runs the body on a thread of its own and blocks until it has returned and what it holds is released.
@discardableResult
public func onOtherThread<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) -> Result {
  let result = Locked<Result?>(nil)
  onOtherThreads(1) { _ in
    let value = body()
    result.withLock { $0 = value }
  }
  return result.withLock { $0! }
}

/// Runs the body on a thread of its own and waits, without blocking, until it has returned and what it
/// holds is released.
public func awaitOtherThread<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) async -> Result {
  let result = Locked<Result?>(nil)
  await awaitOtherThreads(1) { _ in
    let value = body()
    result.withLock { $0 = value }
  }
  return result.withLock { $0! }
}

/// Runs the body on several threads at once and blocks until all have returned and released it.
///
/// None begins before all exist.
///
/// - Parameter thread: The number of the thread, from 0 on.
public func onOtherThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
  let (recorder, ended) = (IssueRecorder(), DispatchSemaphore(value: 0))
  startThreads(count, recorder, body) { ended.signal() }
  ended.wait()
  recorder.reportAgain()
}

/// Runs the body on several threads at once and waits, without blocking, until all have returned and
/// released it.
///
/// None waits for a thread of the concurrency pool, as a task for each would, nor for a processor, as
/// the iterations of `concurrentPerform` would. None begins before all exist.
///
/// - Parameter thread: The number of the thread, from 0 on.
public func awaitOtherThreads(
  _ count: Int,
  _ body: @escaping @Sendable (_ thread: Int) -> Void
) async {
  let recorder = IssueRecorder()
  await withCheckedContinuation { continuation in
    startThreads(count, recorder, body) { continuation.resume() }
  }
  recorder.reportAgain()
}

private func startThreads(
  _ count: Int,
  _ recorder: IssueRecorder,
  _ body: @escaping @Sendable (_ thread: Int) -> Void,
  onEnd: @escaping @Sendable () -> Void
) {
  precondition(count > 0, "nothing would end the wait")
  let (begin, ended) = (DispatchSemaphore(value: 0), Counter())
  for thread in 0..<count {
    // A thread keeps its closure until it ends, which may be after the call of `onEnd`.
    let body = Locked<(@Sendable (Int) -> Void)?>(body)
    Thread {
      begin.wait()
      withIssueReporters([recorder]) { body.withLock { $0.take() }?(thread) }
      if ended.add() == count { onEnd() }
    }.start()
  }
  for _ in 0..<count { begin.signal() }
}

/// Runs the body on the main actor and blocks until it has returned.
public func waitForMainActor<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows
  -> Result
{
  guard !Thread.isMainThread else { return try MainActor.assumeIsolated(body) }
  return try DispatchQueue.main.sync { try MainActor.assumeIsolated(body) }
}

/// Waits until everything that the main queue holds now has run.
public func mainQueueToDrain() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async { continuation.resume() }
  }
}

/// The thread that calls.
public func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
