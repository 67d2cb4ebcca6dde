import LifecycleSupport

/// Runs an asynchronous body under a background task.
///
/// When time is up the body is cancelled, on the main actor, inside the expiration handler: its
/// cancellation handlers have run before the process may be suspended, the rest of its clean-up is on
/// its own. Without a grant the body runs all the same.
///
/// ```swift
/// try await withBackgroundTask(named: "upload", tasks: tasks) {
///   try await upload.finish()
/// }
/// ```
///
/// - Parameters:
///   - name: For people who look at logs.
///   - coordinator: Whose time is asked for.
///   - isolation: Where the body runs: where the caller does.
///   - body: What to do. It should mind that it is cancelled.
/// - Returns: What the body returns, after it was cancelled too; never before the body has returned.
/// - Throws: What the body throws.
public func withBackgroundTask<Value: Sendable, Failure: Error>(
  named name: String,
  tasks coordinator: BackgroundTaskCoordinator,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: @escaping () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  let run = CancellableRun()
  let task = coordinator.beginTask(
    named: name,
    onExpiration: { run.cancel() },
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column
  )
  let runner = Task { () -> Result<Value, Failure> in
    _ = isolation
    do throws(Failure) {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
  run.begin(runner)
  let result = await withTaskCancellationHandler {
    await runner.value
  } onCancel: {
    run.cancel()
  }
  task.end()
  return try result.get()
}

/// A task that may be cancelled before it is there.
private final class CancellableRun: Sendable {
  private struct State {
    var cancelTask: (@Sendable () -> Void)?
    var isCancelled = false
  }

  private let state = Locked(State())

  func begin(_ task: Task<some Sendable, some Error>) {
    let isCancelled = state.withLock { state in
      state.cancelTask = { task.cancel() }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let cancelTask = state.withLock { state in
      state.isCancelled = true
      return state.cancelTask
    }
    cancelTask?()
  }
}
