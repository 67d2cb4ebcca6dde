public import Synchronization

/// A flag that is read by a relaxed load, which is inlined into other modules.
///
/// The type is public for the reason that `Locked` is. A flag that belongs to an object with weak
/// references is better read from here: a call to that object would count a reference to it, which
/// takes longer.
public final class SharedFlag: Sendable {
  @usableFromInline let value = Atomic(false)

  public init() {}

  @inlinable public var isOn: Bool { value.load(ordering: .relaxed) }

  public func set(_ isOn: Bool) {
    value.store(isOn, ordering: .relaxed)
  }
}
