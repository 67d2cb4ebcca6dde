import Dispatch

/// Where handlers of fetches run: on threads of Dispatch, which makes more of them when some are
/// blocked. The threads of Swift's own pool are few, and a handler that blocks one would hold up others.
final class BackgroundFetchExecutor: TaskExecutor {
  static let shared = BackgroundFetchExecutor()

  private let queue = DispatchQueue(label: "reactive-lifecycle.fetch", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
