import Synchronization

/// Indicates whether a bus has taps, at the cost of one atomic load.
///
/// A class of its own, which nothing references weakly: calls to the core from another module would
/// count a reference to it, which takes longer than everything else that is done for a bus without
/// taps.
package final class TapIndicator: Sendable {
  private let value = Atomic(false)

  package var isOn: Bool { value.load(ordering: .relaxed) }

  /// Called with the lock of the bus held.
  func set(_ isOn: Bool) {
    value.store(isOn, ordering: .relaxed)
  }
}
