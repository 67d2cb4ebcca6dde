import DequeModule
import Dispatch
import LifecycleSupport

import class Foundation.Thread

/// An executor that runs the handlers of fetches on dedicated threads, as many as it needs. Swift's
/// own pool, and Dispatch, have few threads, and a handler that blocks one of them would delay
/// others.
final class BackgroundFetchExecutor: Sendable {
  fileprivate struct State {
    var jobs: Deque<UnownedJob> = []
    var idleThreads = 0
  }

  static let shared = BackgroundFetchExecutor()

  /// The time that an idle thread waits for another job.
  private static let timeout = DispatchTimeInterval.seconds(5)

  private let state = Locked(State())
  private let wakeUps = DispatchSemaphore(value: 0)

  fileprivate func add(_ job: UnownedJob) {
    let hasThread = state.withLock { state in
      state.jobs.append(job)
      return state.idleThreads >= state.jobs.count
    }
    if hasThread {
      wakeUps.signal()
    } else {
      Thread.detachNewThread { [self] in work() }
    }
  }

  private func work() {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func nextJob() -> UnownedJob? {
    if let job = state.withLock({ $0.nextJob() }) { return job }
    while wakeUps.wait(timeout: .now() + Self.timeout) == .success {
      if let job = state.withLock({ $0.resume() }) { return job }
    }
    // A job may have arrived at the last moment.
    return state.withLock { state in
      state.idleThreads -= 1
      return state.jobs.popFirst()
    }
  }
}

// Before iOS 18, tasks have no preferred executor. The conformance is marked, not the class: one
// that is gated can crash programs that enumerate classes
// (https://github.com/swiftlang/swift/issues/61215).
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension BackgroundFetchExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }
}

extension BackgroundFetchExecutor.State {
  /// Returns the next job. Without one, the thread is idle.
  fileprivate mutating func nextJob() -> UnownedJob? {
    if jobs.isEmpty { idleThreads += 1 }
    return jobs.popFirst()
  }

  /// Returns the job that an idle thread was woken up for, unless another thread has taken it.
  fileprivate mutating func resume() -> UnownedJob? {
    guard let job = jobs.popFirst() else { return nil }
    idleThreads -= 1
    return job
  }
}
