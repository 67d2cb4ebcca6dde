import ReactiveLifecycle

extension DeferredWorkQueue {
  /// What became of a job.
  public enum JobResult: Sendable {
    /// It has returned.
    case finished
    /// It has thrown that, by itself. It is not kept.
    case failed(any Error)
    /// It was cancelled, and has thrown. It is kept for the next wake, unless another job of its
    /// identifier was enqueued, or it was removed meanwhile.
    case interrupted
  }

  /// What became of a job in a wake, and how long it took.
  public struct JobReport: Sendable {
    /// Which job it was.
    public let id: String
    /// What became of it.
    public let outcome: JobResult
    /// How long it ran, on the continuous clock of the bus.
    public let duration: Duration
  }
}

// `Duration` would show how it is stored: two halves of a number of attoseconds.
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
