import DequeModule

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
