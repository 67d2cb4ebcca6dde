import Synchronization

/// A number that several threads count.
final class SharedCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add(_ difference: Int) { count.add(difference, ordering: .relaxed) }
}
