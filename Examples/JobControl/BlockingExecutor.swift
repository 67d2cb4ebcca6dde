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
  try await withTaskExecutorPreference(BlockingExecutor()) {
    let session = try JobControlSession(executable: executable, timeout: timeout)
    defer { session.close() }
    return try body(session)
  }
}

/// A task executor whose threads may block without delaying the cooperative pool.
private final class BlockingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "job-control")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
