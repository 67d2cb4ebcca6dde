import LifecycleSupport

/// Runs an asynchronous body under a background task.
///
/// When time is up, the body is cancelled on the main actor, inside the expiration handler: its
/// cancellation handlers have run before the process may be suspended, but the rest of its clean-up
/// is not waited for. Without a grant the body runs anyway.
///
/// ```swift
/// try await withBackgroundTask(named: "upload", tasks: tasks) {
///   try await upload.finish()
/// }
/// ```
///
/// - Parameters:
///   - name: The name that is shown in logs.
///   - coordinator: The coordinator that requests the time.
///   - isolation: The actor that the body runs on, which is the caller's.
///   - body: The work to do. It should respond to cancellation.
///   - fileID: The file ID of the call site.
///   - filePath: The path of the call site's file.
///   - line: The line of the call site.
///   - column: The column of the call site.
/// - Returns: The body's result, even if it was cancelled; never before the body has returned.
/// - Throws: Any error that the body throws.
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

/// A task that may be cancelled before it exists.
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
