/// The memory of a subscriber that receives the latest value of a stream, and never the same one
/// twice in succession.
final class LatestValue<Output> {
  private let isSame: (Output, Output) -> Bool
  /// The value that a subscriber with limited demand received last.
  private var received: Output?

  init(_ isSame: @escaping (Output, Output) -> Bool) {
    self.isSame = isSame
  }

  func note(_ value: Output) { received = value }

  func isRepetition(_ value: Output) -> Bool {
    received.map { isSame(value, $0) } ?? false
  }
}
