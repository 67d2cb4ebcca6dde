/// An object that the closure of an observer captures.
///
/// Its release uses the bus, which waits forever if the library holds a lock meanwhile (G7).
final class Canary: Sendable {
  private let census: SharedCount
  private let onRelease: @Sendable () -> Void

  init(_ census: SharedCount, onRelease: @escaping @Sendable () -> Void = {}) {
    self.census = census
    self.onRelease = onRelease
    census.add(1)
  }

  deinit {
    onRelease()
    census.add(-1)
  }
}
