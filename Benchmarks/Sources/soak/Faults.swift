import Synchronization

/// What was found wrong, and the number of checks that found nothing.
final class Faults: Sendable {
  private let messages = Mutex<[String]>([])
  private let checkCount = Atomic(0)

  var checks: Int { checkCount.load(ordering: .relaxed) }
  var all: [String] { messages.withLock { $0 } }

  /// Checks a condition. The first ten messages are kept.
  func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    checkCount.add(1, ordering: .relaxed)
    if condition { return }
    let text = message()
    messages.withLock { if $0.count < 10 { $0.append(text) } }
  }
}

/// The number of objects that are alive.
final class Census: Sendable {
  private let count = Atomic(0)

  var living: Int { count.load(ordering: .relaxed) }

  func add(_ difference: Int) { count.add(difference, ordering: .relaxed) }
}

/// An object that an observer captures.
final class Canary: Sendable {
  private let census: Census

  init(_ census: Census) {
    self.census = census
    census.add(1)
  }

  deinit { census.add(-1) }
}
