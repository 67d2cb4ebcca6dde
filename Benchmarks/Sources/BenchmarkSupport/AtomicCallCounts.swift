import Synchronization

/// How often each of some observers was called that several threads may call at once.
///
/// An atomic addition costs more than a plain one. It is needed for the peers that do not serialise
/// their calls; those that do are spared it, as their users are.
public final class AtomicCallCounts: Sendable {
  /// One observer's counter.
  public final class Slot: Sendable {
    private let calls = Atomic(0)

    /// Counts one call.
    public func increment() {
      calls.wrappingAdd(1, ordering: .relaxed)
    }

    fileprivate var value: Int { calls.load(ordering: .relaxed) }
  }

  /// A slot for each observer.
  public let all: [Slot]

  /// Slots for so many observers, all zero.
  public init(observers: Int) {
    all = (0..<observers).map { _ in Slot() }
  }

  /// Throws unless each observer was called that often.
  public func check(expected: Int) throws(CallMismatch) {
    for (observer, slot) in all.enumerated() where slot.value != expected {
      throw CallMismatch(observer: observer, expected: expected, actual: slot.value)
    }
  }
}
