import Synchronization

/// Counts the calls of one observer.
final class Tally: Sendable {
  private let number = Atomic(0)

  var calls: Int { number.load(ordering: .relaxed) }

  func add() {
    number.add(1, ordering: .relaxed)
  }
}
