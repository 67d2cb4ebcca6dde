import Synchronization

/// The number of objects that are alive.
final class Census: Sendable {
  private let count = Atomic(0)

  var living: Int { count.load(ordering: .relaxed) }

  func add(_ difference: Int) { count.add(difference, ordering: .relaxed) }
}

/// An object that the closure of an observer captures.
///
/// Its release uses the bus, which waits forever if the library holds a lock meanwhile (G7).
final class Canary: Sendable {
  private let census: Census
  private let onRelease: @Sendable () -> Void

  init(_ census: Census, onRelease: @escaping @Sendable () -> Void = {}) {
    self.census = census
    self.onRelease = onRelease
    census.add(1)
  }

  deinit {
    onRelease()
    census.add(-1)
  }
}
