public import LifecycleCombine
public import ReactiveLifecycle

extension LifecycleRecorder {
  /// Creates a recorder of the values that a publisher sends from now on.
  ///
  /// - Parameters:
  ///   - publisher: The publisher to record.
  ///   - bus: The bus that provides the phase and the clock.
  ///   - demand: The number of values to request on subscription; ``request(_:)`` requests more.
  ///   - style: The style of the values in ``transcript``.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public convenience init(
    _ publisher: some Publisher<Element, Failure>,
    of bus: some LifecycleBusProtocol,
    demand: Subscribers.Demand = .unlimited,
    style: LifecycleTranscript.Style = .init(),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(publisher, demand, RecorderCore(nil, TranscriptContext(bus, style), site))
  }

  convenience init(
    _ publisher: some Publisher<Element, Failure>,
    _ demand: Subscribers.Demand,
    _ core: RecorderCore<Element, Failure>
  ) {
    self.init(core)
    core.request(demand)
    publisher.subscribe(RecordingSubscriber(core))
  }

  /// Creates a recorder of the elements of a sequence.
  ///
  /// The recorder runs on the caller's actor: for a test on the main actor, on the main actor while
  /// the test waits, for example in ``next()``. The time and the phase of an element are those at
  /// which the sequence returns it. A sequence of a bus buffers earlier elements.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to record.
  ///   - bus: The bus that provides the phase and the clock.
  ///   - style: The style of the values in ``transcript``.
  ///   - isolation: The actor of the caller.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public convenience init<S: AsyncSequence<Element, Failure>>(
    _ sequence: sending S,
    of bus: some LifecycleBusProtocol,
    style: LifecycleTranscript.Style = .init(),
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(sequence, RecorderCore(nil, TranscriptContext(bus, style), site), isolation)
  }

  convenience init<S: AsyncSequence<Element, Failure>>(
    _ sequence: sending S,
    _ core: RecorderCore<Element, Failure>,
    _ isolation: isolated (any Actor)?
  ) {
    // Sent here, it is used by the task alone.
    let sequence = UncheckedSendable(sequence)
    let task = Task {
      _ = isolation
      await core.record(sequence.value, isolation)
    }
    self.init(core, task: task)
  }
}

extension LifecycleRecorder where Failure == Never {
  /// Creates a recorder of the elements that are passed to ``record(_:)``.
  ///
  /// - Parameters:
  ///   - element: The type of the elements.
  ///   - bus: The bus that provides the phase and the clock.
  ///   - style: The style of the values in ``transcript``.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  public convenience init(
    of element: Element.Type,
    of bus: some LifecycleBusProtocol,
    style: LifecycleTranscript.Style = .init(),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(RecorderCore(nil, TranscriptContext(bus, style), site))
  }
}

extension RecorderCore {
  /// Records a sequence until it ends.
  fileprivate func record<S: AsyncSequence<Element, Failure>>(
    _ sequence: S,
    _ isolation: isolated (any Actor)?
  ) async {
    do {
      for try await element in sequence { record(element) }
      finish(.finished)
    } catch {
      finish(.failure(error))
    }
  }

  convenience init(_ name: String?, _ context: TranscriptContext, _ site: CallSite) {
    self.init(name: name, context, log: nil, TestFailures(), site)
  }
}
