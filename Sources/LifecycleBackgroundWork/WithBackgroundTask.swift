import LifecycleCore
import LifecycleSupport

/// Runs an asynchronous body under a background task.
///
/// When time is up, the body is cancelled on the main actor, inside the expiration handler: its
/// cancellation handlers have run before the process may be suspended, but the rest of its clean-up
/// is not waited for. Without a grant the body runs anyway.
///
/// ```swift
/// try await withBackgroundTask(named: "upload") {
///   try await upload.finish()
/// }
/// ```
///
/// The background task begins with the call. In an observer, which can't wait, call
/// ``startBackgroundTask(named:tasks:isolation:_:)`` instead: a `Task` that calls this function
/// begins the background task when it first runs, and the process may be suspended before that.
///
/// - Parameters:
///   - name: The name that is shown in logs.
///   - coordinator: The coordinator that requests the time.
///   - isolation: The actor that the body runs on, which is the caller's.
///   - body: The work to do. It should respond to cancellation.
/// - Returns: The body's result, even if it was cancelled; never before the body has returned.
/// - Throws: Any error that the body throws.
public func withBackgroundTask<Value: Sendable, Failure: Error>(
  named name: String,
  tasks coordinator: BackgroundTaskCoordinator = .application,
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  // The runtime releases a task's closure before it returns the value: the body has not escaped.
  let result = await withoutActuallyEscaping(body) { body in
    let runner = begin(name, coordinator) { task in
      Task(name: name) { () -> Result<Value, Failure> in
        _ = isolation
        defer { task.end(.finished) }
        do throws(Failure) {
          return .success(try await body())
        } catch {
          return .failure(error)
        }
      }
    }
    return await withTaskCancellationHandler {
      _ = isolation
      return await runner.value
    } onCancel: {
      runner.cancel()
    }
  }
  return try result.get()
}

/// Begins a background task, and starts a task that runs an asynchronous body under it.
///
/// The background task has begun when the function returns: the process that leaves the foreground
/// is not suspended before the body has ended or time is up.
///
/// ```swift
/// bus.addObserver(for: .didEnterBackground, in: scope) { _ in
///   startBackgroundTask(named: "save") { await store.save() }
/// }
/// ```
///
/// When time is up, the body is cancelled as in
/// ``withBackgroundTask(named:tasks:isolation:_:)``. The background task ends when the body has
/// returned or thrown, also after it was cancelled. No scope ends it: work on leaving outlives the
/// screen that has started it. To cancel it, for instance on the return, keep the task.
///
/// - Parameters:
///   - name: The name that is shown in logs, and by debuggers.
///   - coordinator: The coordinator that requests the time.
///   - isolation: The caller's actor.
///   - body: The work to do, which runs on the caller's actor unless it names another. It should
///     respond to cancellation.
/// - Returns: The task, which keeps the error that the body throws. If no code awaits its value,
///   handle errors in the body: they go unnoticed otherwise. For a body that does not throw, it is
///   a `Task<Value, Never>`.
@discardableResult
public func startBackgroundTask<Value: Sendable>(
  named name: String,
  tasks coordinator: BackgroundTaskCoordinator = .application,
  isolation: isolated (any Actor)? = #isolation,
  @_inheritActorContext _ body: sending @escaping @isolated(any) () async throws -> Value
) -> Task<Value, any Error> {
  begin(name, coordinator) { task in
    Task(name: name) {
      _ = isolation
      defer { task.end(.finished) }
      return try await body()
    }
  }
}

/// The function of the same name for a body that does not throw, as `Task` has an initializer for
/// each. One page describes both.
@_documentation(visibility: private)
@discardableResult
public func startBackgroundTask<Value: Sendable>(
  named name: String,
  tasks coordinator: BackgroundTaskCoordinator = .application,
  isolation: isolated (any Actor)? = #isolation,
  @_inheritActorContext _ body: sending @escaping @isolated(any) () async -> Value
) -> Task<Value, Never> {
  begin(name, coordinator) { task in
    Task(name: name) {
      _ = isolation
      defer { task.end(.finished) }
      return await body()
    }
  }
}

/// Begins a background task, and cancels the work that is started under it when time is up, even if
/// that is before the work is started.
private func begin<Value, Failure: Error>(
  _ name: String,
  _ coordinator: BackgroundTaskCoordinator,
  _ start: (BackgroundTaskCore) -> Task<Value, Failure>
) -> Task<Value, Failure> {
  let run = Locked(CancellationMachine<@Sendable () -> Void>())
  let runner = start(coordinator.begin(name) { run.withLock { $0.end() }?() })
  run.withLock { $0.start { runner.cancel() } }?()
  return runner
}
