/// The memory of a subscriber that receives the latest value of a stream, and never the same one
/// twice in succession.
///
/// Its methods are not inlined: every delivery would otherwise look up the layout of the value.
final class LatestValue<Output> {
  private let isSame: (Output, Output) -> Bool
  /// The value that the subscriber received last.
  private var received: Output?

  init(_ isSame: @escaping (Output, Output) -> Bool) {
    self.isSame = isSame
  }

  @inline(never)
  func note(_ value: Output) { received = value }

  @inline(never)
  func isRepetition(_ value: Output) -> Bool {
    received.map { isSame(value, $0) } ?? false
  }
}
