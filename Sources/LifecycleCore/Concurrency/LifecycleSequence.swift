import DequeModule
import LifecycleCombine
import LifecycleSupport

/// A stream of a bus as an asynchronous sequence, made with
/// ``LifecyclePublisher/asyncSequence(buffering:fileID:filePath:line:column:)``.
///
/// The sequence listens from its creation, and keeps the values that arrive before the loop begins.
/// The first iterator takes them over. Each further iterator listens from its own creation, and
/// receives every value from then on. The sequence ends after `willTerminate`, or when the bus is
/// released, after the last buffered value.
///
/// The bus stops keeping values for an iterator when the iterator is released, for example by a
/// `break` out of the loop, or when its task is cancelled: at once if the task waits for a value,
/// otherwise when it requests the next value, which is nil. The bus stops keeping values for a
/// sequence that is released without having been iterated. Neither keeps the bus alive.
public struct LifecycleSequence<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  private let listen: @Sendable () -> SequenceListener<Element>
  private let first: First

  /// The values buffered for the first iterator, until there is one.
  private final class First: Sendable {
    let listener: Locked<SequenceListener<Element>?>

    init(_ listener: SequenceListener<Element>) {
      self.listener = Locked(listener)
    }
  }

  init(_ listen: @escaping @Sendable () -> SequenceListener<Element>) {
    self.listen = listen
    first = First(listen())
  }

  /// Stops listening, and releases the values that were kept. An iterator that is made later
  /// listens from its own creation.
  func stopListening() {
    first.listener.take()
  }

  /// Returns an iterator, which listens separately. Thread-safe.
  public func makeAsyncIterator() -> Iterator {
    Iterator(first.listener.take() ?? listen())
  }

  /// One consumer of the sequence, which receives every value.
  ///
  /// Use an iterator from one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private var listener: SequenceListener<Element>?

    fileprivate init(_ listener: SequenceListener<Element>) {
      self.listener = listener
    }

    /// Returns the next value; nil after the last value, and whenever the task has been cancelled,
    /// even if values are buffered.
    ///
    /// - Parameter isolation: The caller's actor, on which this call returns.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async -> Element? {
      guard !Task.isCancelled, let value = await listener?.next(isolation: isolation) else {
        // The listener leaves the bus when its last reference is released.
        listener = nil
        return nil
      }
      return value
    }

    /// Returns the next value, as ``next(isolation:)`` does. `for await` calls it in code that also
    /// runs before iOS 18.
    public nonisolated(nonsending) mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }
  }
}

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
  /// - Returns: A sequence for any number of iterators, each of which receives every value.
  public func asyncSequence(
    buffering policy: AsyncStream<Output>.Continuation.BufferingPolicy = .unbounded,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleSequence<Output> {
    let site = CallSite(fileID, filePath, line, column)
    return LifecycleSequence { listener(buffering: policy, site) }
  }

  /// Begins to listen to those values of the stream that are included.
  func listener(
    buffering policy: AsyncStream<Output>.Continuation.BufferingPolicy = .unbounded,
    _ site: CallSite,
    where isIncluded: (@Sendable (Output) -> Bool)? = nil
  ) -> SequenceListener<Output> {
    let buffer = SequenceBuffer<Output>(policy, isSame: stream.isSame, stream.onReceipt)
    let downstream = Downstream<Output> {
      if isIncluded?($0) != false { buffer.offer($0) }
      return .none
    } finish: {
      buffer.finish()
    }
    let row = stream.makeRow(core, stream.kinds, site, downstream)
    row.attachWithUnlimitedDemand()
    core.listen(row, catchUp: catchUp)
    return SequenceListener(buffer, row)
  }
}

/// Not available: a sequence has a buffer, which
/// ``asyncSequence(buffering:fileID:filePath:line:column:)`` creates. The compiler reports
/// this where it finds `for await event in bus.events`.
@available(
  *,
  unavailable,
  message: "use asyncSequence() instead: for await event in bus.events.asyncSequence()"
)
extension LifecyclePublisher: AsyncSequence {
  /// A value of the stream.
  public typealias Element = Output

  /// Not available: iterate over ``asyncSequence(buffering:fileID:filePath:line:column:)``.
  public func makeAsyncIterator() -> AsyncStream<Output>.Iterator {
    fatalError("A LifecyclePublisher is not a sequence. Use asyncSequence() instead.")
  }
}

/// The registration and the buffer of one consumer, which leaves the bus when its last reference is
/// released.
final class SequenceListener<Element: Sendable>: Sendable {
  private let buffer: SequenceBuffer<Element>
  private let row: ObserverRow

  init(_ buffer: SequenceBuffer<Element>, _ row: ObserverRow) {
    self.buffer = buffer
    self.row = row
  }

  deinit { row.cancel() }

  /// Returns the next value; nil after the last one, or if the task is cancelled while it waits.
  func next(isolation: isolated (any Actor)?) async -> Element? {
    await withTaskCancellationHandler {
      await buffer.next(isolation: isolation)
    } onCancel: {
      row.cancel()
      buffer.finish()
    }
  }
}

/// The values that a bus keeps for one iterator of a sequence.
///
/// `AsyncStream` would also work, but leaves the caller's actor for each value, even for those that
/// are available already.
final class SequenceBuffer<Element: Sendable>: Sendable {
  private let machine: Locked<BufferMachine<Element, CheckedContinuation<Element?, Never>>>
  private let onReceipt: (@Sendable (Element) -> Void)?

  init(
    _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
    isSame: (@Sendable (Element, Element) -> Bool)?,
    _ onReceipt: (@Sendable (Element) -> Void)? = nil
  ) {
    machine = Locked(BufferMachine(policy, isSame: isSame))
    self.onReceipt = onReceipt
  }

  func offer(_ value: Element) {
    guard let waiter = machine.withLockDiscarding({ $0.offer(value) }) else { return }
    onReceipt?(value)
    waiter.resume(returning: value)
  }

  func finish() {
    for waiter in machine.withLock({ $0.finish() }) { waiter.resume(returning: nil) }
  }

  /// Returns the next value. Gives up the thread only if no value is available.
  func next(isolation: isolated (any Actor)?) async -> Element? {
    await withCheckedContinuation(isolation: isolation) { waiter in
      guard let value = machine.withLock({ $0.wait(waiter) }) else { return }
      if let value { onReceipt?(value) }
      waiter.resume(returning: value)
    }
  }
}

/// The values that are kept for one iterator of a sequence, and the waiters for the next ones.
struct BufferMachine<Element: Sendable, Waiter: Sendable>: Sendable {
  typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  private let policy: Policy
  private let isSame: (@Sendable (Element, Element) -> Bool)?
  private var values: Deque<Element> = []
  /// The value that was handed out last; nil if that does not matter.
  private var received: Element?
  private var waiters: Deque<Waiter> = []
  private var isFinished = false

  /// - Parameters:
  ///   - policy: The number of values that are kept, and which ones.
  ///   - isSame: Whether two values are the same one. Where values between them are not kept, only
  ///     one is handed out. If nil, all values count.
  init(_ policy: Policy, isSame: (@Sendable (Element, Element) -> Bool)? = nil) {
    self.policy = policy
    self.isSame = if case .unbounded = policy { nil } else { isSame }
  }

  /// Accepts a value.
  ///
  /// - Returns: The waiter that receives it at once, and the values that are not kept, which the
  ///   caller releases outside the lock.
  mutating func offer(_ value: Element) -> (waiter: Waiter?, dropped: [Element]) {
    guard !isFinished, !isRepetition(value, of: values.last ?? received) else {
      return (nil, [value])
    }
    if let waiter = waiters.popFirst() {
      note(value)
      return (waiter, [])
    }
    switch policy {
    case .bufferingOldest(let limit) where values.count >= limit: return (nil, [value])
    case .bufferingNewest(let limit) where values.count >= limit:
      guard let oldest = values.popFirst() else { return (nil, [value]) }
      values.append(value)
      guard isRepetition(values[0], of: received) else { return (nil, [oldest]) }
      return (nil, [oldest, values.removeFirst()])
    default:
      values.append(value)
      return (nil, [])
    }
  }

  private func isRepetition(_ value: Element, of other: @autoclosure () -> Element?) -> Bool {
    guard let isSame, let other = other() else { return false }
    return isSame(value, other)
  }

  private mutating func note(_ value: Element) {
    if isSame != nil { received = value }
  }

  /// Ends the buffer, which accepts no more values. Returns the waiters to resume with nil.
  mutating func finish() -> Deque<Waiter> {
    isFinished = true
    defer { waiters = [] }
    return waiters
  }

  /// Returns the next value, or the nil that stands for the end, if it is available; otherwise adds
  /// the waiter.
  mutating func wait(_ waiter: Waiter) -> Element?? {
    if let value = values.popFirst() {
      note(value)
      return .some(value)
    }
    if isFinished { return .some(nil) }
    waiters.append(waiter)
    return .none
  }
}
