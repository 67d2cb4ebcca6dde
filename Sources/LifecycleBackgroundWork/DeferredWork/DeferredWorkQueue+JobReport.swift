import ReactiveLifecycle

extension DeferredWorkQueue {
  /// The outcome of a job.
  public enum JobResult: Sendable {
    /// The job returned.
    case finished
    /// The job threw this error without being cancelled. It is not kept.
    case failed(any Error)
    /// The job was cancelled, and threw an error. It is kept for the next wake, unless a job with
    /// the same identifier was enqueued, or it was removed, in the meantime.
    case interrupted
  }

  /// The outcome of a job in a wake, and its duration.
  public struct JobReport: Sendable {
    /// The identifier of the job.
    public let id: String
    /// The outcome of the job.
    public let outcome: JobResult
    /// The duration of the run, measured on the continuous clock of the bus.
    public let duration: Duration
  }
}

// The mirror of `Duration` shows its storage: two halves of a number of attoseconds.
extension DeferredWorkQueue.JobReport: CustomReflectable {
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "id": id,
        "outcome": outcome,
        "duration": Seconds(duration),
      ],
      displayStyle: .struct
    )
  }
}
