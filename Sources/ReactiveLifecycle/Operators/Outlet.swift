/// The downstream side of an operator: how many values wait to be handed out, and whether somebody is
/// handing out now. Downstream gets one call at a time, whichever threads have something for it.
struct Outlet: Sendable {
  /// A call of downstream. Whoever gets one makes it, then asks for the next.
  enum Call: Hashable, Sendable {
    /// With the first of the values that wait.
    case value
    /// The last call.
    case completion(Ending)
  }

  enum Ending: Hashable, Sendable {
    case finished
    /// Upstream's failure.
    case failure
  }

  private(set) var waitingCount = 0
  /// Comes after what is waiting.
  private var ending: Ending?
  // The first call gives downstream its subscription.
  private(set) var isCalling = true
  /// Whether downstream gets nothing any more.
  private(set) var isOver = false

  mutating func append() {
    waitingCount += 1
  }

  /// Removes those that wait at the positions. Returns the positions.
  mutating func remove(_ positions: Range<Int>) -> Range<Int> {
    waitingCount -= positions.count
    return positions
  }

  mutating func removeAll() -> Range<Int> {
    remove(0..<waitingCount)
  }

  /// Has the end follow what is waiting, unless another one does.
  mutating func complete(_ ending: Ending) {
    if self.ending == nil { self.ending = ending }
  }

  /// The first call to make, unless somebody else is making one: he will ask for the next.
  mutating func begin(isOpen: Bool = true) -> Call? {
    isCalling ? nil : next(isOpen: isOpen)
  }

  /// The next call, after one has returned.
  ///
  /// - Parameter isOpen: Whether values may be handed out now.
  mutating func next(isOpen: Bool = true) -> Call? {
    isCalling = false
    guard !isOver else { return nil }
    if isOpen, waitingCount > 0 {
      waitingCount -= 1
      isCalling = true
      return .value
    }
    guard waitingCount == 0, let ending else { return nil }
    isOver = true
    return .completion(ending)
  }

  /// Whether nothing more is taken in.
  var isEnding: Bool { isOver || ending != nil }

  /// Makes downstream's side silent. Returns the positions of what was waiting.
  mutating func shut() -> Range<Int> {
    isOver = true
    return removeAll()
  }
}
