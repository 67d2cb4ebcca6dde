import Synchronization

/// Counts the calls of one observer.
final class Tally: Sendable {
  private let number = Atomic(0)

  var calls: Int { number.load(ordering: .relaxed) }

  func add(_ calls: Int = 1) {
    number.add(calls, ordering: .relaxed)
  }
}
