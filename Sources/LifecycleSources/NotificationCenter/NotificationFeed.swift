import Foundation
import LifecycleSupport
import ReactiveLifecycle

extension Notification {
  /// The object, if it is one: a value has no identity.
  var instance: AnyObject? {
    object.flatMap { type(of: $0) is AnyClass ? $0 as AnyObject : nil }
  }
}

/// Takes what a centre posts to one bus, as a table says.
final class NotificationFeed: Sendable {
  /// An object that is a participant of its own.
  ///
  /// `@unchecked Sendable`: the object is only asked whether it lives, which any thread may do.
  private final class Part: @unchecked Sendable {
    private weak let object: AnyObject?
    let name: String
    let input: LifecycleFeed

    init(_ object: AnyObject?, _ name: String, _ input: LifecycleFeed) {
      self.object = object
      self.name = name
      self.input = input
    }

    /// Not to be asked under a lock: the object may be released by everybody else meanwhile.
    var isGone: Bool { object == nil }
  }

  private struct Parts {
    var ofObjects: [ObjectIdentifier: Part] = [:]
    /// Of those above, and of those that are about to leave.
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

  /// Sends what the notification means. Any thread.
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
      // After what the object says, which may be that it goes on in another one's place.
      for part in left {
        part.input.disconnect()
        parts.withLock { _ = $0.names.remove(part.name) }
      }
    }
  }

  /// The object's part, and those that leave: of objects that were released without a word, and its
  /// own after its last word.
  private func part(
    _ object: AnyObject,
    _ label: String,
    _ identifier: String?,
    isLast: Bool
  ) -> (part: Part, left: [Part]) {
    let gone = parts.withLock { $0.ofObjects }.filter { $0.value.isGone }
    return parts.withLock { parts in
      var left: [Part] = []
      // An address may be another object's by now.
      for (key, part) in gone where parts.ofObjects[key] === part {
        parts.ofObjects[key] = nil
        left.append(part)
      }
      let key = ObjectIdentifier(object)
      // Objective-C forbids weak references to an object whose last word comes from its `deinit`.
      let part =
        parts.ofObjects[key] ?? newPart(isLast ? nil : object, label, identifier, &parts)
      parts.ofObjects[key] = isLast ? nil : part
      if isLast { left.append(part) }
      return (part, left)
    }
  }

  /// Two objects are two participants, even if they bear the same name for a while.
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
      // Another source has numbered objects of its own.
      parts.lastNumber += 1
    }
  }
}
