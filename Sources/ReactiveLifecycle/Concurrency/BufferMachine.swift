import DequeModule

/// What is kept for one iterator of a sequence, and who waits for more.
struct BufferMachine<Element: Sendable, Waiter: Sendable>: Sendable {
  typealias Policy = AsyncStream<Element>.Continuation.BufferingPolicy

  private let policy: Policy
  private var values: Deque<Element> = []
  private var waiters: Deque<Waiter> = []
  private var isFinished = false

  init(_ policy: Policy) {
    self.policy = policy
  }

  /// A value has come.
  ///
  /// - Returns: Who gets it at once, and what is not kept, for the caller to release outside the
  ///   lock.
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

  /// Nothing comes any more. Returns who waits in vain.
  mutating func finish() -> Deque<Waiter> {
    isFinished = true
    defer { waiters = [] }
    return waiters
  }

  /// Somebody wants the next value. Returns it, or the nil that stands for the end, if it is there;
  /// else the waiter waits.
  mutating func wait(_ waiter: Waiter) -> Element?? {
    if let value = values.popFirst() { return .some(value) }
    if isFinished { return .some(nil) }
    waiters.append(waiter)
    return .none
  }
}
