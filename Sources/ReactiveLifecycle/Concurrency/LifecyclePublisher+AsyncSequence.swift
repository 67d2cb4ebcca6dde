import LifecycleCombine

extension LifecyclePublisher where Output: Sendable {
  /// Returns the stream as an asynchronous sequence, which loses nothing and keeps the bus's order.
  ///
  /// For a loop in a separate task, use `task(for:)` of a scope: a `Task` that makes this call
  /// begins to listen when it first runs, and misses what is sent before.
  ///
  /// The sequence listens from this call on; `phases` begins with the current phase. Values that a
  /// slow loop has not received yet are kept, phases too, unless `policy` limits them. With a
  /// limit, too, no phase, and no state of a countdown, follows itself. A loop body runs a turn of
  /// the executor after its event, when the phase may have changed again; see
  /// <doc:WhereObserversRun>. Thread-safe.
  ///
  /// ```swift
  /// for await event in bus.events.asyncSequence() {
  ///   print(event.kind)
  /// }
  /// ```
  ///
  /// - Parameter policy: The number of values that are kept for each iterator, and which ones.
  /// - Parameter fileID: The file ID of the call site.
  /// - Parameter line: The line of the call site.
  /// - Returns: A sequence for any number of iterators, each of which receives every value.
  public func asyncSequence(
    buffering policy: AsyncStream<Output>.Continuation.BufferingPolicy = .unbounded,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> LifecycleSequence<Output> {
    let site = CallSite(fileID: fileID, line: line)
    return LifecycleSequence { [core, stream, catchUp] in
      let buffer = SequenceBuffer<Output>(policy, isSame: stream.isSame)
      let row = stream.makeRow(core, stream.kinds, site, Downstream(buffer))
      row.attachWithUnlimitedDemand()
      core.listen(row, catchUp: catchUp)
      return SequenceListener(buffer, row)
    }
  }
}

/// Not available: a sequence has a buffer, which ``asyncSequence(buffering:fileID:line:)`` creates.
/// The compiler reports this where it finds `for await event in bus.events`.
@available(
  *,
  unavailable,
  message: "use asyncSequence() instead: for await event in bus.events.asyncSequence()"
)
extension LifecyclePublisher: AsyncSequence {
  /// A value of the stream.
  public typealias Element = Output

  /// Not available: iterate over ``asyncSequence(buffering:fileID:line:)``.
  public func makeAsyncIterator() -> AsyncStream<Output>.Iterator {
    fatalError("A LifecyclePublisher is not a sequence. Use asyncSequence() instead.")
  }
}

extension Downstream where Output: Sendable {
  /// Creates a downstream that takes every value into a buffer at once.
  fileprivate init(_ buffer: SequenceBuffer<Output>) {
    self.init(
      receive: {
        buffer.offer($0)
        return .none
      },
      finish: { buffer.finish() }
    )
  }
}
