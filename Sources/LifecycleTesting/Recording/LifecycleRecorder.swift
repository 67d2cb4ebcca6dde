public import CustomDump
public import LifecycleCombine
public import ReactiveLifecycle

/// Records what a publisher, a sequence or a closure brings, each with the time since the beginning and
/// the phase of the process.
///
/// ```swift
/// let recorder = LifecycleRecorder(bus.phases, of: bus)
/// bus.send(.didBecomeActive)
/// expectNoDifference(recorder.elements, [.unknown, .background, .inactive, .active])
/// ```
///
/// A publisher that breaks the Combine protocol, with a value after its completion, say, fails the test
/// at the line that made the recorder.
///
/// It stops recording when it is cancelled or released. It records on any thread; it can be used on any
/// thread if the elements are `Sendable`.
public final class LifecycleRecorder<Element, Failure: Error> {
  /// Something that was recorded.
  public struct Entry {
    /// The time since the recorder, or its ``ScriptedLifecycle``, was made.
    public let time: Duration
    /// The phase of the process.
    public let phase: LifecyclePhase
    public let element: Element

    /// An entry to compare with.
    public init(time: Duration, phase: LifecyclePhase, element: Element) {
      self.time = time
      self.phase = phase
      self.element = element
    }
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

  /// What was recorded, in order.
  public var entries: [Entry] { core.entries }

  /// The elements that were recorded, in order.
  public var elements: [Element] { core.entries.map(\.element) }

  /// How the publisher or the sequence has ended; nil if it goes on, or the recorder was cancelled.
  public var completion: Subscribers.Completion<Failure>? { core.completion }

  /// Returns the elements that were recorded since they were last taken, by this or by ``next()``, so that
  /// a test compares what each part of it brings. ``elements`` keeps them.
  ///
  /// ```swift
  /// bus.send(.didBecomeActive)
  /// expectNoDifference(recorder.takeElements(), [.unknown, .background, .inactive, .active])
  /// bus.send(.willResignActive)
  /// expectNoDifference(recorder.takeElements(), [.inactive])
  /// ```
  ///
  /// - Complexity: O(n) in the number of elements that are returned.
  @discardableResult
  public func takeElements() -> [Element] { core.takeAll() }

  /// The first element that was not taken yet, by this or by ``takeElements()``. It waits for it, by the clock of the world and
  /// not that of the test: something else must bring the element.
  ///
  /// - Returns: The element; nil if there is none left and none will come.
  /// - Throws: The failure of what is recorded, when there is no element left, each time;
  ///   `CancellationError` if the task is cancelled.
  nonisolated(nonsending) public func next() async throws -> Element? {
    while true {
      switch core.take() {
      case .element(let element): return element
      case .end(.failure(let error)): throw error
      case .end: return nil
      case .nothing: break
      }
      try Task.checkCancellation()
      await withTaskCancellationHandler {
        await withCheckedContinuation { core.wake($0) }
      } onCancel: { [core] in
        core.wakeAll()
      }
    }
  }

  /// Waits for the end of what is recorded, as ``next()`` waits for an element, and takes what comes until
  /// then.
  ///
  /// ```swift
  /// let recorder = LifecycleRecorder(bus.phases.asyncSequence(), of: bus)
  /// bus.send(.didFinishLaunching)
  /// bus.send(.willTerminate)
  /// let phases = try await recorder.waitUntilEnd()  // unknown, background, terminated
  /// ```
  ///
  /// - Returns: All elements, also those that were taken before.
  /// - Throws: The failure of what is recorded; `CancellationError` if the task is cancelled.
  @discardableResult
  nonisolated(nonsending) public func waitUntilEnd() async throws -> [Element] {
    while try await next() != nil {}
    return elements
  }

  // MARK: What is asked of it

  /// Records an element that a closure brings. Any thread.
  ///
  /// ```swift
  /// viewModel.onUpdate = { updates.record($0) }
  /// ```
  public func record(_ element: Element) {
    core.record(element)
  }

  /// Asks the publisher for more, if the recorder was made with a limited demand.
  public func request(_ demand: Subscribers.Demand) {
    core.request(demand)
  }

  /// Records no more, and cancels the subscription.
  public func cancel() {
    // First, so that what the sequence does when its task is cancelled is not taken for its end.
    core.cancel()
    task?.cancel()
  }
}

// Everything that changes is behind the lock of the core.
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
