/// One fetch: who has answered, and when it is complete. Pure.
struct BackgroundFetchMachine: Hashable, Sendable {
  /// The end of the fetch. It is returned once.
  struct Completion: Hashable, Sendable {
    var result: BackgroundFetchResult
    /// Those that have not answered, and are to be cancelled.
    var stragglers: [Int] = []
  }

  enum Verdict: Hashable, Sendable {
    case accepted
    /// The handler has answered before.
    case repeated
    /// The fetch has ended without the handler's answer.
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

  /// A fetch with that many handlers, which are known by their positions.
  init(handlers count: Int) {
    statuses = Array(repeating: .waiting, count: count)
  }

  func isWaiting(for handler: Int) -> Bool { statuses[handler] == .waiting }

  func isRemoved(_ handler: Int) -> Bool { statuses[handler] == .removed }

  /// Has the handlers run.
  ///
  /// - Returns: The completion of a fetch that has none.
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

  /// Nobody is interested in the handler's answer any more. One that has answered keeps its answer.
  ///
  /// - Returns: Whether the handler is to be cancelled.
  mutating func remove(_ handler: Int) -> (isCancelled: Bool, completion: Completion?) {
    guard statuses[handler] == .waiting else { return (false, nil) }
    statuses[handler] = .removed
    return (true, completeIfAnswered())
  }

  /// There is nobody left who could fetch.
  mutating func refuse() -> Completion {
    isComplete = true
    return Completion(result: .failed)
  }

  /// Time is up.
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
