/// The closures that are called when a bus begins to be observed, and when it is observed no longer.
///
/// Each counts the observers that receive at least one of its kinds. Its calls alternate, whatever
/// happens before they are made.
struct ObservationTable {
  /// Called with true when the first observer has joined, with false when the last one has left.
  typealias Body = @Sendable (_ isObserved: Bool) -> Void

  struct Call {
    let body: Body
    let isObserved: Bool
  }

  private struct Observation {
    let id: Int
    let kinds: LifecycleEvent.Kinds
    var count: Int
    let body: Body
  }

  private var observations: [Observation] = []
  private var lastID = 0

  var isEmpty: Bool { observations.isEmpty }

  /// Adds a closure.
  ///
  /// - Parameter observed: The kinds of each observer that there is.
  /// - Returns: The number of the closure, and the call to make.
  mutating func append(
    _ kinds: LifecycleEvent.Kinds,
    observed: [LifecycleEvent.Kinds],
    _ body: @escaping Body
  ) -> (id: Int, call: Call?) {
    lastID += 1
    let count = observed.count { $0.intersects(kinds) }
    observations.append(Observation(id: lastID, kinds: kinds, count: count, body: body))
    return (lastID, count > 0 ? Call(body: body, isObserved: true) : nil)
  }

  /// Returns the closure, for the caller to release outside the lock.
  mutating func remove(_ id: Int) -> Body? {
    guard let index = observations.firstIndex(where: { $0.id == id }) else { return nil }
    return observations.remove(at: index).body
  }

  /// Counts an observer of the kinds.
  ///
  /// - Returns: The calls to make.
  mutating func observerDidJoin(_ kinds: LifecycleEvent.Kinds) -> [Call] {
    change(kinds, by: 1, to: 1).map { Call(body: $0, isObserved: true) }
  }

  /// No longer counts an observer of the kinds.
  ///
  /// - Returns: The calls to make.
  mutating func observerDidLeave(_ kinds: LifecycleEvent.Kinds) -> [Call] {
    change(kinds, by: -1, to: 0).map { Call(body: $0, isObserved: false) }
  }

  /// Returns the closures whose count has become `limit`.
  private mutating func change(
    _ kinds: LifecycleEvent.Kinds,
    by change: Int,
    to limit: Int
  ) -> [Body] {
    var reached: [Body] = []
    for index in observations.indices where observations[index].kinds.intersects(kinds) {
      observations[index].count += change
      if observations[index].count == limit { reached.append(observations[index].body) }
    }
    return reached
  }
}
