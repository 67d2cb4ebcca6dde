public import CustomDump
public import LifecycleCombine
public import LifecycleCore

/// A recorder of the elements of a publisher, a sequence or a closure, each with the time since the
/// beginning and the phase of the process.
///
/// ```swift
/// let recorder = LifecycleRecorder(bus.phases, of: bus)
/// bus.send(.didBecomeActive)
/// expectNoDifference(recorder.elements, [.unknown, .background, .inactive, .active])
/// ```
///
/// A publisher that breaks the Combine protocol, for example with a value after its completion,
/// fails the test at the line that created the recorder.
///
/// A recorder stops recording when it is cancelled or released. It records on any thread, and can
/// be used on any thread if the elements are `Sendable`.
public final class LifecycleRecorder<Element, Failure: Error> {
  /// A recorded element with its time and phase.
  public struct Entry {
    /// The time since the recorder, or its ``ScriptedLifecycle``, was created.
    public let time: Duration
    /// The phase of the process.
    public let phase: LifecyclePhase
    public let element: Element
  }

  private let core: RecorderCore<Element, Failure>
  private let task: Task<Void, Never>?

  init(_ core: RecorderCore<Element, Failure>, task: Task<Void, Never>? = nil) {
    self.core = core
    self.task = task
  }

  deinit {
    cancel()
  }

  // MARK: What was recorded

  /// The recorded entries, in order.
  public var entries: [Entry] { core.entries }

  /// The recorded elements, in order.
  public var elements: [Element] { core.entries.map(\.element) }

  /// The completion of the publisher or the sequence; nil if it has not ended, or if the recorder
  /// was cancelled.
  public var completion: Subscribers.Completion<Failure>? { core.completion }

  /// Returns the elements that were recorded since the last call of this method or ``next()``, so
  /// that each part of a test can compare its own effects. ``elements`` keeps them.
  ///
  /// ```swift
  /// bus.send(.didBecomeActive)
  /// expectNoDifference(recorder.takeElements(), [.unknown, .background, .inactive, .active])
  /// bus.send(.willResignActive)
  /// expectNoDifference(recorder.takeElements(), [.inactive])
  /// ```
  @discardableResult
  public func takeElements() -> [Element] { core.takeAll() }

  /// Returns the first element that neither this method nor ``takeElements()`` has returned yet,
  /// and waits for it if necessary.
  ///
  /// The wait does not advance the clock of the test: something else must cause the element.
  ///
  /// - Returns: The element; nil if there is none left and there will be no more.
  /// - Throws: The failure of the publisher or the sequence, on each call when there is no element
  ///   left; `CancellationError` if the task is cancelled.
  nonisolated(nonsending) public func next() async throws -> Element? {
    while true {
      switch core.take() {
      case .element(let element): return element
      case .end(.failure(let error)): throw error
      case .end: return nil
      case .nothing: break
      }
      try Task.checkCancellation()
      await wait()
    }
  }

  /// - Parameter isolation: The caller's actor, which a closure leaves unless it captures it.
  private func wait(isolation: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { core.wake($0) }
    } onCancel: { [core] in
      core.wakeAll()
    }
  }

  /// Waits for the end of the publisher or the sequence, as ``next()`` waits for an element, and
  /// takes the elements until then.
  ///
  /// ```swift
  /// let recorder = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
  /// bus.send(.didFinishLaunching)
  /// bus.send(.willTerminate)
  /// let phases = try await recorder.waitUntilEnd()  // unknown, background, terminated
  /// ```
  ///
  /// - Returns: All elements, including those that were taken before.
  /// - Throws: The failure of the publisher or the sequence; `CancellationError` if the task is
  ///   cancelled.
  @discardableResult
  nonisolated(nonsending) public func waitUntilEnd() async throws -> [Element] {
    while try await next() != nil {}
    return elements
  }

  // MARK: Recording

  /// Records an element from a closure. Thread-safe.
  ///
  /// ```swift
  /// viewModel.onUpdate = { updates.record($0) }
  /// ```
  public func record(_ element: Element) {
    core.record(element)
  }

  /// Requests more values from the publisher, if the recorder was created with a limited demand.
  public func request(_ demand: Subscribers.Demand) {
    core.request(demand)
  }

  /// Stops recording and cancels the subscription.
  public func cancel() {
    // First, so that the sequence's reaction to the cancellation of its task is not recorded as its
    // end.
    core.cancel()
    task?.cancel()
  }
}

// All mutable state is protected by the lock of the core.
extension LifecycleRecorder: Sendable where Element: Sendable {}
extension LifecycleRecorder.Entry: Sendable where Element: Sendable {}
extension LifecycleRecorder.Entry: Equatable where Element: Equatable {}
extension LifecycleRecorder.Entry: Hashable where Element: Hashable {}

extension LifecycleRecorder.Entry: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    Mirror(
      self,
      children: ["time": Seconds(time), "phase": phase, "element": element],
      displayStyle: .struct
    )
  }
}

extension LifecycleRecorder: Cancellable {}

extension LifecycleRecorder: LifecycleTranscriptConvertible {
  public var transcript: LifecycleTranscript { core.transcript }
}

extension LifecycleRecorder {
  /// Creates a recorder of the values that a publisher sends from now on.
  ///
  /// - Parameters:
  ///   - publisher: The publisher to record.
  ///   - bus: The bus that provides the phase and the clock.
  ///   - demand: The number of values to request on subscription; ``request(_:)`` requests more.
  public convenience init(
    _ publisher: some Publisher<Element, Failure>,
    of bus: some LifecycleBusProtocol,
    demand: Subscribers.Demand = .unlimited,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    self.init(publisher, demand, RecorderCore(of: bus, site))
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
  /// It needs iOS 18, from which on the type of a sequence has its `Failure`.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to record.
  ///   - bus: The bus that provides the phase and the clock.
  ///   - isolation: The actor of the caller.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  public convenience init<S: AsyncSequence<Element, Failure>>(
    _ sequence: sending S,
    of bus: some LifecycleBusProtocol,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    self.init(sequence, RecorderCore(of: bus, site), isolation)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
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

extension RecorderCore {
  /// Records a sequence until it ends.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
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

  convenience init(of bus: some LifecycleBusProtocol, _ site: CallSite) {
    self.init(name: nil, TranscriptContext(bus), log: nil, TestFailures(), site)
  }
}
