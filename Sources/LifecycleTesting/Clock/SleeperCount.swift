/// The number of sleepers, and the waiters for certain numbers of them.
struct SleeperCount<Waiter> {
  private(set) var count = 0
  private var waiters: [Int: (count: Int, waiter: Waiter)] = [:]
  private var nextID = 0

  /// - Returns: The waiters that no longer need to wait, in the order of their arrival.
  mutating func add() -> [Waiter] {
    count += 1
    let ids = waiters.keys.filter { waiters[$0]!.count <= count }.sorted()
    return ids.compactMap { waiters.removeValue(forKey: $0)?.waiter }
  }

  mutating func remove() {
    count -= 1
  }

  /// - Returns: The number to cancel with; nil if there is no need to wait.
  mutating func wait(for count: Int, _ waiter: Waiter) -> Int? {
    guard self.count < count else { return nil }
    defer { nextID += 1 }
    waiters[nextID] = (count, waiter)
    return nextID
  }

  mutating func cancel(_ id: Int) {
    waiters[id] = nil
  }
}
