public import LifecycleCombine
public import ReactiveLifecycle

extension LifecycleRecorder {
  /// Records what a publisher sends, from now on.
  ///
  /// - Parameters:
  ///   - publisher: What is recorded.
  ///   - bus: Whose phase is noted, and whose clock is read.
  ///   - demand: How many values are requested at once; ``request(_:)`` asks for more.
  ///   - style: How values are written in ``transcript``.
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

  /// Records the elements of a sequence, where this is called: on the main actor, for a test on the main
  /// actor, and then while the test waits, as ``next()`` does. The time and the phase of an element are
  /// those at which the sequence hands it out. A sequence of a bus keeps what comes before.
  ///
  /// - Parameters:
  ///   - sequence: What is recorded.
  ///   - bus: Whose phase is noted, and whose clock is read.
  ///   - style: How values are written in ``transcript``.
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
    let sequence = UncheckedSendable(sequence)
    let task = Task {
      _ = isolation
      await core.record(sequence.value, isolation)
    }
    self.init(core, task: task)
  }
}

extension LifecycleRecorder where Failure == Never {
  /// Records what is given to ``record(_:)``.
  ///
  /// - Parameters:
  ///   - element: What is recorded.
  ///   - bus: Whose phase is noted, and whose clock is read.
  ///   - style: How values are written in ``transcript``.
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
