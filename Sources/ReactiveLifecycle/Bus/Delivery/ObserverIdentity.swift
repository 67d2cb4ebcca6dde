/// The identity that makes a new observer replace an earlier one: an `id:` within a scope or an
/// owner.
///
/// The user's `id` is hashed when the identity is created and compared outside the lock of the bus.
/// Under the lock only `Key` is used, which runs no user code.
package final class ObserverIdentity: Sendable {
  struct Key: Hashable, Sendable {
    let holder: ObjectIdentifier
    let hash: Int
  }

  let key: Key
  private let id: any Hashable & Sendable

  init(_ id: any Hashable & Sendable, holder: AnyObject) {
    self.id = id
    key = Key(holder: ObjectIdentifier(holder), hash: AnyHashable(id).hashValue)
  }

  /// Returns whether both have equal identifiers; runs the user's `==`.
  func isSame(as other: ObserverIdentity) -> Bool {
    AnyHashable(id) == AnyHashable(other.id)
  }
}
