public import JobControl
public import Testing

extension JobControlSession {
  /// Does what `bg` does with a stopped job, and waits until it has continued.
  public func continueInBackground(
    _ job: Job,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try background(job)
    #expect(try job.nextStatus().status == .continued, sourceLocation: sourceLocation)
  }
}
