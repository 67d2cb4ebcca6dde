import LifecycleSupport

/// Collects what a sample prints, for a test that compares it with the text beside the sample.
final class Printer: Sendable {
  private let collected = Locked<[String]>([])

  var lines: [String] { collected.withLock { $0 } }

  func callAsFunction(_ items: Any...) {
    let line = items.map { "\($0)" }.joined(separator: " ")
    collected.withLock { $0.append(line) }
  }
}
