import Foundation
import Synchronization

/// Runs tasks on the thread that calls ``run()``, instead of those of the concurrent executor, so
/// that their counts repeat.
final class CallingThreadExecutor: TaskExecutor {
  private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

  /// The executor of all tasks that name none, once it has been used.
  static let shared: CallingThreadExecutor = {
    // A variable of Swift's library for concurrency that takes the jobs of its executor.
    let variable = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "swift_task_enqueueGlobal_hook")
    guard let hook = variable?.assumingMemoryBound(to: Hook?.self) else {
      preconditionFailure("The concurrent executor can't be replaced.")
    }
    hook.pointee = { job, _ in CallingThreadExecutor.shared.add(job) }
    return CallingThreadExecutor()
  }()

  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    add(UnownedJob(job))
  }

  private func add(_ job: UnownedJob) {
    jobs.withLock { $0.append(job) }
  }

  /// Runs all jobs, also those that they add.
  func run() {
    while case let ready = jobs.withLock({ $0.take() }), !ready.isEmpty {
      for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

extension Array {
  fileprivate mutating func take() -> Self {
    defer { self = [] }
    return self
  }
}
