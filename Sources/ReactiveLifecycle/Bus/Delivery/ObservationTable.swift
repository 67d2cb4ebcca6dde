/// The closures that are called when a bus begins to be observed, and when it is observed no
/// longer.
///
/// Each counts the observers that receive at least one of its kinds. Its calls wait for their turn,
/// and ask then what has changed, so that an observer that comes and goes before that causes
/// nothing.
struct ObservationTable {
  /// Called in the turn of the bus with the number of the observation, whose change it takes.
  typealias Body = @Sendable (_ id: Int) -> Void

  struct Call: Sendable {
    let id: Int
    let body: Body
  }

  private struct Observation {
    let id: Int
    let kinds: LifecycleEvent.Kinds
    let body: Body
    var count: Int
    /// A Boolean value that indicates whether the bus was observed when the last change was taken.
    var wasObserved = false

    var call: Call { Call(id: id, body: body) }
  }

  private var observations: [Observation] = []
  private var lastID = 0

  var isEmpty: Bool { observations.isEmpty }

  /// Adds a closure.
  ///
  /// - Parameter observed: The kinds of each observer that there is.
  /// - Returns: The number of the observation, and the call to make.
  mutating func append(
    _ kinds: LifecycleEvent.Kinds,
    observed: [LifecycleEvent.Kinds],
    _ body: @escaping Body
  ) -> (id: Int, call: Call?) {
    lastID += 1
    let count = observed.count { $0.intersects(kinds) }
    let observation = Observation(id: lastID, kinds: kinds, body: body, count: count)
    observations.append(observation)
    return (lastID, count > 0 ? observation.call : nil)
  }

  /// Returns the closure, for the caller to release outside the lock.
  mutating func remove(_ id: Int) -> Body? {
    guard let index = index(of: id) else { return nil }
    return observations.remove(at: index).body
  }

  /// Returns whether the bus is observed now; nil if it was when the last change was taken.
  mutating func takeChange(_ id: Int) -> Bool? {
    guard let index = index(of: id) else { return nil }
    let isObserved = observations[index].count > 0
    guard observations[index].wasObserved != isObserved else { return nil }
    observations[index].wasObserved = isObserved
    return isObserved
  }

  /// Counts an observer of the kinds.
  ///
  /// - Returns: The calls to make.
  mutating func observerDidJoin(_ kinds: LifecycleEvent.Kinds) -> [Call] {
    change(kinds, by: 1, to: 1)
  }

  /// No longer counts an observer of the kinds.
  ///
  /// - Returns: The calls to make.
  mutating func observerDidLeave(_ kinds: LifecycleEvent.Kinds) -> [Call] {
    change(kinds, by: -1, to: 0)
  }

  /// Returns the calls of those whose count has become `limit`.
  private mutating func change(
    _ kinds: LifecycleEvent.Kinds,
    by change: Int,
    to limit: Int
  ) -> [Call] {
    var calls: [Call] = []
    for index in observations.indices where observations[index].kinds.intersects(kinds) {
      observations[index].count += change
      if observations[index].count == limit { calls.append(observations[index].call) }
    }
    return calls
  }

  private func index(of id: Int) -> Int? { observations.firstIndex { $0.id == id } }
}
