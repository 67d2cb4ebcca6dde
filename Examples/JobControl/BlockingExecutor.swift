import Dispatch

/// Runs the body with a session of its own, on a thread that nobody else needs, and closes the
/// session when it returns or throws.
///
/// The body may block. It belongs to the calling task, so that task-local values, and with them
/// the test that is running, are those of the caller.
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

/// A task executor whose threads may be blocked without holding up the cooperative pool.
private final class BlockingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "job-control")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
