import Foundation
import ReactiveLifecycle

extension Notification {
  /// The object, if it is one: a value has no identity.
  var instance: AnyObject? {
    object.flatMap { type(of: $0) is AnyClass ? $0 as AnyObject : nil }
  }
}

/// Takes what a centre posts to one bus, as a table says.
final class NotificationFeed: Sendable {
  /// An object that is a party of its own.
  ///
  /// `@unchecked Sendable`: the object is only asked whether it lives, which any thread may do.
  private struct Witness: @unchecked Sendable {
    private weak let object: AnyObject?
    let key: ObjectIdentifier

    init(_ object: AnyObject) {
      self.object = object
      key = ObjectIdentifier(object)
    }

    var isGone: Bool { object == nil }
  }

  private struct Part {
    let witness: Witness
    let name: String
    let input: LifecycleInput
  }

  private struct Parts {
    var ofObjects: [ObjectIdentifier: Part] = [:]
    var ceiling: LifecycleInput?
    var lastNumber = 0
  }

  private let table: NotificationTable
  private let input: LifecycleInput
  private let parts = Locked(Parts())

  init(_ table: NotificationTable, _ input: LifecycleInput) {
    self.table = table
    self.input = input
  }

  /// Sends what the notification means. Any thread.
  func hear(_ notification: Notification) {
    guard let row = table.rows[notification.name.rawValue], let kind = row.meaning(notification)
    else { return }
    let userInfo = row.userInfo?(notification) ?? [:]
    switch row.subject.kind {
    case .source:
      input.send(kind, userInfo: userInfo)
    case .ceiling:
      let ceiling = parts.withLock { parts in
        let ceiling = parts.ceiling ?? input.part(as: .ceiling)
        parts.ceiling = ceiling
        return ceiling
      }
      ceiling.send(kind, userInfo: userInfo)
    case .object(let label, let identifier):
      guard let object = notification.instance else { return }
      let witness = Witness(object)
      let (part, left) = part(witness, label, identifier(object))
      part.send(kind, userInfo: userInfo)
      // After what the object says, which may be that it goes on in another one's place.
      for part in left { part.disconnect() }
      guard kind == .willTerminate else { return }
      part.disconnect()
      parts.withLock { $0.ofObjects[witness.key] = nil }
    }
  }

  /// The object's part, and those of objects that were released without a word.
  private func part(
    _ witness: Witness,
    _ label: String,
    _ identifier: String?
  ) -> (part: LifecycleInput, left: [LifecycleInput]) {
    parts.withLock { parts in
      // An address may be another object's by now.
      let left = parts.ofObjects.values.filter(\.witness.isGone)
      for part in left { parts.ofObjects[part.witness.key] = nil }
      let inputs = left.map(\.input)
      if let part = parts.ofObjects[witness.key] { return (part.input, inputs) }
      parts.lastNumber += 1
      var name = "\(label) \(identifier ?? "\(parts.lastNumber)")"
      // Two objects are two parties, even if they bear the same name for a while.
      if (left + parts.ofObjects.values).contains(where: { $0.name == name }) {
        name += " (\(parts.lastNumber))"
      }
      let part = input.part(as: .presence(of: LifecycleParty(rawValue: name)))
      parts.ofObjects[witness.key] = Part(witness: witness, name: name, input: part)
      return (part, inputs)
    }
  }
}
