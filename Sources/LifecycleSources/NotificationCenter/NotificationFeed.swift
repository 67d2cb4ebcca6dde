import Foundation
import LifecycleSupport
import ReactiveLifecycle

extension Notification {
  /// The notification's object if it is a class instance; a value has no identity.
  var instance: AnyObject? {
    object.flatMap { type(of: $0) is AnyClass ? $0 as AnyObject : nil }
  }
}

/// The object that sends one bus the events that a table assigns to notifications.
final class NotificationFeed: Sendable {
  /// An object that is a separate participant.
  private final class Part: Sendable {
    /// Captures the object weakly, and checks whether it is alive, which any thread may do.
    private let hasObject: UncheckedSendable<() -> Bool>
    let name: String
    let input: LifecycleFeed

    init(_ object: AnyObject?, _ name: String, _ input: LifecycleFeed) {
      hasObject = UncheckedSendable { [weak object] in object != nil }
      self.name = name
      self.input = input
    }

    /// A Boolean value that indicates whether the object has been released.
    ///
    /// Must not be read under a lock: all other references to the object may be released
    /// meanwhile.
    var isGone: Bool { !hasObject.value() }
  }

  private struct Parts {
    var ofObjects: [ObjectIdentifier: Part] = [:]
    /// The names of the parts above, and of those that are about to leave.
    var names: Set<String> = []
    var ceiling: LifecycleFeed?
    var lastNumber = 0
  }

  private let table: NotificationTable
  private let input: LifecycleFeed
  private let parts = Locked(Parts())

  init(_ table: NotificationTable, _ input: LifecycleFeed) {
    self.table = table
    self.input = input
  }

  /// Sends the event that the notification means. Thread-safe.
  func hear(_ notification: Notification) {
    guard let row = table.rows[notification.name.rawValue], let kind = row.meaning(notification)
    else { return }
    let metadata = row.metadata?(notification) ?? [:]
    switch row.subject.kind {
    case .source:
      input.send(kind, metadata: metadata)
    case .ceiling:
      let ceiling = parts.withLock { parts in
        let ceiling = parts.ceiling ?? input.part(as: .ceiling)
        parts.ceiling = ceiling
        return ceiling
      }
      ceiling.send(kind, metadata: metadata)
    case .object(let label, let identifier):
      guard let object = notification.instance else { return }
      let (part, left) = part(object, label, identifier(object), isLast: kind == .willTerminate)
      part.input.send(kind, metadata: metadata)
      // Sent after the object's own event: the object may continue in place of one that has left.
      for part in left {
        part.input.disconnect()
        parts.withLock { _ = $0.names.remove(part.name) }
      }
    }
  }

  /// Returns the object's part, and the parts that leave.
  ///
  /// Those are the parts of objects that were released without a last event, and the object's own
  /// part after its last event.
  private func part(
    _ object: AnyObject,
    _ label: String,
    _ identifier: String?,
    isLast: Bool
  ) -> (part: Part, left: [Part]) {
    let known = parts.withLock { Array($0.ofObjects) }
    let gone = known.filter { $0.value.isGone }
    return parts.withLock { parts in
      var left: [Part] = []
      // Another object may have this address by now.
      for (key, part) in gone where parts.ofObjects[key] === part {
        parts.ofObjects[key] = nil
        left.append(part)
      }
      let key = ObjectIdentifier(object)
      // Objective-C forbids weak references to an object whose last event comes from its
      // `deinit`.
      let part =
        parts.ofObjects[key] ?? newPart(isLast ? nil : object, label, identifier, &parts)
      parts.ofObjects[key] = isLast ? nil : part
      if isLast { left.append(part) }
      return (part, left)
    }
  }

  /// Creates a part for an object.
  ///
  /// Two objects are two participants, even if they have the same name for a while.
  private func newPart(
    _ object: AnyObject?,
    _ label: String,
    _ identifier: String?,
    _ parts: inout Parts
  ) -> Part {
    parts.lastNumber += 1
    if let identifier {
      let name = "\(label) \(identifier)"
      if parts.names.insert(name).inserted {
        return Part(
          object,
          name,
          input.part(as: .participant(LifecycleParticipant(rawValue: name)))
        )
      }
    }
    while true {
      let number = parts.lastNumber
      let name = identifier.map { "\(label) \($0) (\(number))" } ?? "\(label) \(number)"
      if let input = input.part(ofNewParticipant: LifecycleParticipant(rawValue: name)) {
        parts.names.insert(name)
        return Part(object, name, input)
      }
      // Another source already uses this number.
      parts.lastNumber += 1
    }
  }
}
