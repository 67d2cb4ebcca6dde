/// What makes an observer *the same again*: an `id:` within a scope or an owner.
///
/// The user's `id` is hashed when the identity is made and compared outside the lock of the bus;
/// under the lock only `Key` is used, which runs no user code.
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

  /// Whether both have equal identifiers; runs the user's `==`.
  func isSame(as other: ObserverIdentity) -> Bool {
    AnyHashable(id) == AnyHashable(other.id)
  }
}
