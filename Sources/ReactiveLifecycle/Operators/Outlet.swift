import DequeModule
import OpenCombineShim

/// The downstream side of an operator: what waits to be handed out, and whether somebody is handing
/// out now. Downstream gets one call at a time, whichever threads have something for it.
struct Outlet<Element: Sendable, Failure: Error>: Sendable {
  /// A call of downstream. Whoever gets one makes it, then asks for the next.
  enum Call: Sendable {
    case value(Element)
    /// The last call.
    case completion(Subscribers.Completion<Failure>)
  }

  private(set) var waiting: Deque<Element> = []
  /// Comes after what is waiting.
  private var completion: Subscribers.Completion<Failure>?
  // The first call gives downstream its subscription.
  private var isCalling = true
  /// Whether downstream gets nothing any more.
  private(set) var isOver = false

  mutating func append(_ element: Element) {
    waiting.append(element)
  }

  /// Removes some of what is waiting. O(*n*) for *n* removed at either end.
  mutating func remove(_ range: Range<Int>) -> [Element] {
    guard !range.isEmpty else { return [] }
    let removed = Array(waiting[range])
    waiting.removeSubrange(range)
    return removed
  }

  mutating func removeAll() -> [Element] {
    remove(waiting.indices)
  }

  /// Has the completion follow what is waiting, unless another one does.
  mutating func complete(_ completion: Subscribers.Completion<Failure>) {
    if self.completion == nil { self.completion = completion }
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
    if isOpen, let element = waiting.popFirst() {
      isCalling = true
      return .value(element)
    }
    guard waiting.isEmpty, let completion = completion.take() else { return nil }
    isOver = true
    return .completion(completion)
  }

  /// Whether nothing more is taken in.
  var isEnding: Bool { isOver || completion != nil }

  /// Makes downstream's side silent. Returns what was waiting.
  mutating func shut() -> ([Element], Subscribers.Completion<Failure>?) {
    isOver = true
    return (removeAll(), completion.take())
  }
}
