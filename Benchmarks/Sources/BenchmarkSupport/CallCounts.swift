import LifecycleCombine
import LifecycleCore

/// How often each observer of a row was called.
///
/// An observer counts in a slot of its own, without a lock or an exclusivity check: a closure's work
/// must not hide what calling it costs.
public final class CallCounts: Sendable {
  private nonisolated(unsafe) let slots: UnsafeMutableBufferPointer<Int>

  /// Slots for so many observers, all zero.
  public init(observers: Int) {
    slots = .allocate(capacity: observers)
    slots.initialize(repeating: 0)
  }

  deinit {
    slots.deallocate()
  }

  /// A slot for each observer. The slots live as long as the counts.
  public var all: [CallSlot] {
    slots.indices.map { CallSlot(calls: slots.baseAddress! + $0) }
  }

  /// Throws unless each observer was called that often.
  public func check(expected: Int) throws(CallMismatch) {
    for (observer, calls) in slots.enumerated() where calls != expected {
      throw CallMismatch(observer: observer, expected: expected, actual: calls)
    }
  }
}

/// Where one observer counts its calls.
///
/// `@unchecked Sendable`: each observer writes its own slot, no peer calls the same observer from two
/// threads at once, and the slots are read only when nothing is being sent.
public struct CallSlot: @unchecked Sendable {
  @usableFromInline
  let calls: UnsafeMutablePointer<Int>

  init(calls: UnsafeMutablePointer<Int>) {
    self.calls = calls
  }

  // A call into another module would be as dear as what is measured.
  /// Counts one call.
  @inlinable
  @inline(__always)
  public func increment() {
    calls.pointee += 1
  }
}

/// An observer that was not called as often as it should have been.
public struct CallMismatch: Error, Equatable, CustomStringConvertible {
  /// The observer's number, from 0 in order of registration.
  public var observer: Int
  /// How often it should have been called.
  public var expected: Int
  /// How often it was called.
  public var actual: Int

  public var description: String {
    "observer \(observer) was called \(actual) times, expected \(expected)"
  }
}

/// "Any other subscriber": the least that asks for everything and counts.
public final class CountingSubscriber: Subscriber {
  private let slot: CallSlot
  private var subscription: (any Subscription)?

  /// A subscriber that counts in the slot.
  public init(_ slot: CallSlot) {
    self.slot = slot
  }

  public func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  public func receive(_ input: LifecycleEvent) -> Subscribers.Demand {
    slot.increment()
    return .none
  }

  public func receive(completion: Subscribers.Completion<Never>) {
    subscription = nil
  }
}
