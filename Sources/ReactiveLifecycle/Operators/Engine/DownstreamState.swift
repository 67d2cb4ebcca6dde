/// The downstream side of an operator: the number of waiting values, and the call under way.
///
/// Downstream is called once at a time, whichever threads have values for it.
package struct DownstreamState: Sendable {
  /// A call of downstream.
  ///
  /// The thread that receives a call makes it, then requests the next.
  package enum Call: Hashable, Sendable {
    /// A call with the first of the waiting values.
    case value
    /// The last call.
    case completion(Completion)
  }

  package enum Completion: Hashable, Sendable {
    case finished
    /// Upstream's failure.
    case failure
  }

  package private(set) var waitingCount = 0
  /// The completion, which follows the waiting values.
  private var completion: Completion?
  // The first call gives downstream its subscription.
  package private(set) var isCalling = true
  /// A Boolean value that indicates whether downstream has been sent its completion, or has
  /// cancelled.
  package private(set) var isFinished = false

  package init() {}

  package mutating func append() {
    waitingCount += 1
  }

  /// Removes the waiting values at the positions. Returns the positions.
  package mutating func remove(_ positions: Range<Int>) -> Range<Int> {
    waitingCount -= positions.count
    return positions
  }

  package mutating func removeAll() -> Range<Int> {
    remove(0..<waitingCount)
  }

  /// Lets the completion follow the waiting values, unless there is one already.
  package mutating func complete(_ completion: Completion) {
    if self.completion == nil { self.completion = completion }
  }

  /// Returns the first call to make; nil while another thread makes one, because that thread
  /// requests the next.
  package mutating func firstCall(isOpen: Bool = true) -> Call? {
    isCalling ? nil : nextCall(isOpen: isOpen)
  }

  /// Returns the next call to make, after one has returned.
  ///
  /// - Parameter isOpen: Whether values may be delivered now.
  package mutating func nextCall(isOpen: Bool = true) -> Call? {
    isCalling = false
    guard !isFinished else { return nil }
    if isOpen, waitingCount > 0 {
      waitingCount -= 1
      isCalling = true
      return .value
    }
    guard waitingCount == 0, let completion else { return nil }
    isFinished = true
    return .completion(completion)
  }

  /// A Boolean value that indicates whether no more values are accepted.
  package var isCompleting: Bool { isFinished || completion != nil }

  /// Ends all calls. Returns the positions of the values that were waiting.
  package mutating func cancel() -> Range<Int> {
    isFinished = true
    return removeAll()
  }
}
