import LifecycleBackgroundWork
import LifecycleSources
import LifecycleTesting
import ReactiveLifecycle

/// Something that takes its time.
@MainActor private final class Upload {
  private(set) var isPaused = false
  private var completion: (@MainActor () -> Void)?

  func start(_ completion: @escaping @MainActor () -> Void) { self.completion = completion }
  func pause() { isPaused = true }
  func complete() { completion?() }
  func finish() async throws { try await Task.sleep(for: .zero) }
}

/// An upload that ends in time, and one that does not.
@MainActor
func backgroundTaskCoordinatorSample() -> [InMemoryBackgroundTaskHost.Operation] {
  let clock = ManualClock()
  let host = InMemoryBackgroundTaskHost(clock: clock)
  beginUpload(host).complete()
  let late = beginUpload(host)
  clock.advance(by: .seconds(30))
  late.complete()
  return late.isPaused ? host.operations : []
}

@MainActor
private func beginUpload(_ host: some BackgroundTaskHost) -> Upload {
  let upload = Upload()
  let tasks = BackgroundTaskCoordinator(host: host)
  let task = tasks.beginTask(named: "upload") { upload.pause() }
  upload.start { task.end() }
  return upload
}

/// What is left of a task in a scope that has ended.
@MainActor
func scopedBackgroundTaskSample() -> [InMemoryBackgroundTaskHost.Operation] {
  let host = InMemoryBackgroundTaskHost()
  let tasks = BackgroundTaskCoordinator(host: host)
  let upload = Upload()
  let scope = LifecycleScope("screen")
  tasks.beginTask(named: "upload", in: scope) { upload.pause() }
  scope.end()
  return host.operations
}

/// A body under a task.
@MainActor
func bodyUnderTaskSample() async throws -> [InMemoryBackgroundTaskHost.Operation] {
  let host = InMemoryBackgroundTaskHost()
  let tasks = BackgroundTaskCoordinator(host: host)
  let upload = Upload()
  try await withBackgroundTask(named: "upload", tasks: tasks) {
    try await upload.finish()
  }
  return host.operations
}

/// How long the process would wait for tasks.
@MainActor
func processTaskHostSample() -> Duration? {
  let tasks = BackgroundTaskCoordinator(host: .process(grace: .seconds(2)))
  return tasks.remainingTime
}

/// How long the end of the process would wait for tasks that may be paused.
@MainActor
func pausableTaskSample() -> Duration? {
  let copies = BackgroundTaskCoordinator(host: .process(grace: .seconds(20), delaying: .end))
  return copies.remainingTime
}

/// Tasks of the application: whether it has any at the end.
@MainActor
func applicationTaskSample() async throws -> Bool {
  let upload = Upload()
  let task = BackgroundTaskCoordinator.application.beginTask(named: "upload") { upload.pause() }
  task.end()
  try await withBackgroundTask(named: "upload") {
    try await upload.finish()
  }
  return BackgroundTaskCoordinator.application.grantedTasks.contains("upload")
}
