import DequeModule

/// The values that are kept for one iterator of a sequence, and the waiters for the next ones.
struct BufferMachine<Element: Sendable, Waiter: Sendable>: Sendable {
  typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  private let policy: Policy
  private var values: Deque<Element> = []
  private var waiters: Deque<Waiter> = []
  private var isFinished = false

  init(_ policy: Policy) {
    self.policy = policy
  }

  /// Accepts a value.
  ///
  /// - Returns: The waiter that receives it at once, and the value that is not kept, which the
  ///   caller releases outside the lock.
  mutating func offer(_ value: Element) -> (waiter: Waiter?, dropped: Element?) {
    guard !isFinished else { return (nil, value) }
    if let waiter = waiters.popFirst() { return (waiter, nil) }
    switch policy {
    case .bufferingOldest(let limit) where values.count >= limit: return (nil, value)
    case .bufferingNewest(let limit) where values.count >= limit:
      guard let oldest = values.popFirst() else { return (nil, value) }
      values.append(value)
      return (nil, oldest)
    default:
      values.append(value)
      return (nil, nil)
    }
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
    if let value = values.popFirst() { return .some(value) }
    if isFinished { return .some(nil) }
    waiters.append(waiter)
    return .none
  }
}
