/// A pure state machine of one fetch: which handlers have answered, and when the fetch is complete.
struct BackgroundFetchMachine: Hashable, Sendable {
  /// The end of the fetch, which is returned once.
  struct Completion: Hashable, Sendable {
    var result: BackgroundFetchResult
    /// The handlers that have not answered, and have to be cancelled.
    var stragglers: [Int] = []
  }

  enum Verdict: Hashable, Sendable {
    case accepted
    /// The handler has already answered.
    case repeated
    /// The fetch ended without the handler's answer.
    case late
    /// The handler was removed before it answered.
    case removed
  }

  private enum Status: Hashable, Sendable {
    case waiting
    case answered(BackgroundFetchResult)
    case missed
    case removed
  }

  private var statuses: [Status]
  private(set) var isComplete = false

  /// Creates a fetch with a number of handlers, which are identified by their positions.
  init(handlers count: Int) {
    statuses = Array(repeating: .waiting, count: count)
  }

  func isWaiting(for handler: Int) -> Bool { statuses[handler] == .waiting }

  func isRemoved(_ handler: Int) -> Bool { statuses[handler] == .removed }

  /// Begins the fetch, after the handlers were run.
  ///
  /// - Returns: The completion, if no handler has to be waited for.
  mutating func begin() -> Completion? { completeIfAnswered() }

  mutating func answer(
    _ handler: Int,
    _ result: BackgroundFetchResult
  ) -> (verdict: Verdict, completion: Completion?) {
    switch statuses[handler] {
    case .waiting:
      statuses[handler] = .answered(result)
      return (.accepted, completeIfAnswered())
    case .answered: return (.repeated, nil)
    case .missed: return (.late, nil)
    case .removed: return (.removed, nil)
    }
  }

  /// Records that the handler's answer is no longer needed. A handler that has answered keeps its
  /// answer.
  ///
  /// - Returns: Whether the handler has to be cancelled, and the completion, if this completes the
  ///   fetch.
  mutating func remove(_ handler: Int) -> (isCancelled: Bool, completion: Completion?) {
    guard statuses[handler] == .waiting else { return (false, nil) }
    statuses[handler] = .removed
    return (true, completeIfAnswered())
  }

  /// Fails the fetch, because no handler can perform it.
  mutating func refuse() -> Completion {
    isComplete = true
    return Completion(result: .failed)
  }

  /// Ends the fetch, because time is up.
  mutating func expire() -> Completion? {
    guard !isComplete else { return nil }
    let stragglers = statuses.indices.filter { statuses[$0] == .waiting }
    for handler in stragglers { statuses[handler] = .missed }
    return complete(stragglers)
  }

  private mutating func completeIfAnswered() -> Completion? {
    isComplete || statuses.contains(.waiting) ? nil : complete([])
  }

  private mutating func complete(_ stragglers: [Int]) -> Completion {
    isComplete = true
    let result: BackgroundFetchResult =
      if statuses.contains(.answered(.newData)) {
        .newData
      } else if statuses.contains(.answered(.failed)) || !stragglers.isEmpty {
        .failed
      } else {
        .noData
      }
    return Completion(result: result, stragglers: stragglers)
  }
}
