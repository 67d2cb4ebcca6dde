import LifecycleCombine

extension LifecyclePublisher where Output: Sendable {
  /// The stream as an asynchronous sequence, which loses nothing, in the bus's one order.
  ///
  /// It listens from this call on, from any thread; `phases` begins with the current phase.
  /// Everything that a slow loop has not come to yet is kept, phases too, unless `policy` bounds
  /// it. A loop body runs a turn of the executor after its event, when the bus may have gone on;
  /// see <doc:Concurrency>.
  ///
  /// ```swift
  /// for await event in bus.events.sequence() {
  ///   print(event.kind)
  /// }
  /// ```
  ///
  /// - Parameter policy: How many values are kept for each iterator, and which.
  /// - Returns: A sequence for any number of iterators, each of which gets every value.
  public func sequence(
    buffering policy: AsyncStream<Output>.Continuation.BufferingPolicy = .unbounded,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleSequence<Output> {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    return LifecycleSequence { [core, stream, catchUp] in
      let buffer = SequenceBuffer<Output>(policy)
      let row = stream.makeRow(core, stream.kinds, site, Downstream(buffer))
      row.attachWithUnlimitedDemand()
      core.listen(row, catchUp: catchUp)
      return SequenceListener(buffer, row)
    }
  }
}

extension Downstream where Output: Sendable {
  /// A buffer takes everything, at once.
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
