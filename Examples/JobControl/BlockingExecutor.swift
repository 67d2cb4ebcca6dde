import Dispatch

/// Runs the body with a new session, on a thread that nothing else needs, and closes the session
/// when the body returns or throws.
///
/// The body may block. It belongs to the calling task, so that its task-local values, and therefore
/// the current test, are those of the caller.
public func withJobControlSession<Result: Sendable>(
  executable: String = currentExecutablePath(),
  timeout: Duration = .seconds(300),
  _ body: @Sendable (JobControlSession) throws -> Result
) async throws -> Result {
  try await withBlockableThread {
    let session = try JobControlSession(executable: executable, timeout: timeout)
    defer { session.close() }
    return try body(session)
  }
}

/// Runs the body, which may block, on a thread that nothing else needs; before macOS 15, where
/// tasks have no preferred executor, in Swift's pool.
public func withBlockableThread<Result: Sendable>(
  _ body: @Sendable () async throws -> Result
) async throws -> Result {
  guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
    return try await body()
  }
  return try await withTaskExecutorPreference(BlockingExecutor(), operation: body)
}

/// A task executor whose threads may block without delaying the cooperative pool.
private final class BlockingExecutor: Sendable {
  fileprivate let queue = DispatchQueue(label: "job-control")
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension BlockingExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
