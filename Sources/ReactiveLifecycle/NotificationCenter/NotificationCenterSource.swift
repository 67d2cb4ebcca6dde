public import Foundation
public import LifecycleCore
import LifecycleSupport

/// A source that feeds a bus from the notifications of a notification center.
///
/// The source registers one observer for each name, with `queue: nil`, so the bus has the input
/// before the post returns. A repeated notification of a transition, whatever its object, repeats
/// an input, which the bus suppresses, unless the table makes objects participants. A repeated
/// notice is another event. A notification center stores no phase: events from before the
/// connection are reported only as far as `current` returns them.
public struct NotificationCenterSource: LifecycleSource {
  public let name: LifecycleSourceName
  private let center: NotificationCenter
  private let object: (any AnyObject & Sendable)?
  private let table: NotificationTable
  private let current: (@MainActor @Sendable () -> [Notification])?
  private let isProtectedDataAvailable: (@MainActor @Sendable () -> Bool?)?

  /// - Parameter isProtectedDataAvailable: Returns whether protected data is available, or nil
  ///   before there is an application to ask. Called until it returns a value: before `current`, in
  ///   the next turn of the main actor, and before each notification.
  package init(
    center: NotificationCenter = .default,
    object: (any AnyObject & Sendable)? = nil,
    table: NotificationTable,
    name: LifecycleSourceName = "notificationCenter",
    current: (@MainActor @Sendable () -> [Notification])? = nil,
    isProtectedDataAvailable: (@MainActor @Sendable () -> Bool?)? = nil
  ) {
    self.center = center
    self.object = object
    self.table = table
    self.name = name
    self.current = current
    self.isProtectedDataAvailable = isProtectedDataAvailable
  }

  /// Registers an observer for each name in the table, and reports the notifications that `current`
  /// returns.
  ///
  /// - Throws: An error if the table's objects are participants and the source is to be a ceiling.
  public func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
    guard feed.role != .ceiling || !table.hasParticipants else { throw RoleError(source: name) }
    let connection = NotificationConnection(table, feed, isProtectedDataAvailable)
    let observesAllObjects = object == nil
    // They are only passed back to the center, which any thread may do.
    let observers = UncheckedSendable(
      table.names.map { name in
        center.addObserver(forName: Notification.Name(name), object: object, queue: nil) {
          [weak object] notification in
          // Once the object is released, another one may have its address.
          if observesAllObjects || object != nil { connection.receive(notification) }
        }
      }
    )
    let remove = { @Sendable [center] in
      for observer in observers.value { center.removeObserver(observer) }
    }
    guard let current else { return remove }
    let report = { @MainActor @Sendable in
      connection.reportProtectedData()
      for notification in current() { connection.receive(notification) }
    }
    let isReported = MainQueue.ifCurrent(report) != nil
    if isReported, connection.hasReportedProtectedData { return remove }
    let task = Task { @MainActor in
      if Task.isCancelled { return }
      if isReported { connection.reportProtectedData() } else { report() }
    }
    return {
      task.cancel()
      remove()
    }
  }
}

extension NotificationCenterSource {
  /// An error that indicates that a source can't be a ceiling, because each of its objects, such
  /// as a scene, is a separate participant.
  struct RoleError: Error, Hashable, CustomStringConvertible {
    /// The name of the source.
    let source: LifecycleSourceName

    var description: String {
      """
      The source "\(source)" can't be a ceiling because each of its objects is a separate \
      participant. Connect the source to a separate bus, and that bus as the ceiling.
      """
    }
  }
}

extension LifecycleSource where Self == NotificationCenterSource {
  /// Returns a source for the notifications of a center, with a table of their raw names.
  ///
  /// ```swift
  /// try bus.connect(.notificationCenter(table: .uiApplication), in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - center: The center where the notifications are posted.
  ///   - object: The object whose notifications count, or nil for those of all objects. The
  ///     connection does not keep the object alive.
  ///   - table: The meanings of the notifications.
  ///   - name: The name under which the source reports.
  ///   - current: A closure that returns the notifications that describe the state when the
  ///     source starts, whether or not they were posted. Called on the main actor, once for each
  ///     connection: before `connect` returns if its caller is on the main actor, and soon
  ///     afterward otherwise.
  public static func notificationCenter(
    _ center: NotificationCenter = .default,
    object: (any AnyObject & Sendable)? = nil,
    table: NotificationTable,
    name: LifecycleSourceName = "notificationCenter",
    current: (@MainActor @Sendable () -> [Notification])? = nil
  ) -> Self {
    NotificationCenterSource(
      center: center,
      object: object,
      table: table,
      name: name,
      current: current
    )
  }
}

extension Notification {
  /// The notification's object if it is a class instance; a value has no identity.
  var instance: AnyObject? {
    object.flatMap { type(of: $0) is AnyClass ? $0 as AnyObject : nil }
  }
}

/// The object that sends one bus the events that a table assigns to notifications.
private final class NotificationConnection: Sendable {
  /// An object that is a separate participant.
  private final class Part: Sendable {
    /// Captures the object weakly, and checks whether it is alive, which any thread may do.
    private let hasObject: UncheckedSendable<() -> Bool>
    let name: String
    let feed: LifecycleFeed

    init(_ object: AnyObject?, _ name: String, _ feed: LifecycleFeed) {
      hasObject = UncheckedSendable { [weak object] in object != nil }
      self.name = name
      self.feed = feed
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
    var ceilings: [String: LifecycleFeed] = [:]
    var lastNumber = 0
  }

  private let table: NotificationTable
  private let feed: LifecycleFeed
  private let parts = Locked(Parts())
  /// Returns whether protected data is available; nil once that is reported.
  private let isProtectedDataAvailable: Locked<(@MainActor @Sendable () -> Bool?)?>

  init(
    _ table: NotificationTable,
    _ feed: LifecycleFeed,
    _ isProtectedDataAvailable: (@MainActor @Sendable () -> Bool?)?
  ) {
    self.table = table
    self.feed = feed
    self.isProtectedDataAvailable = Locked(isProtectedDataAvailable)
  }

  var hasReportedProtectedData: Bool { isProtectedDataAvailable.withLock { $0 == nil } }

  /// Reports once that protected data is unavailable, if there is an application to ask.
  func reportProtectedData() {
    guard let ask = isProtectedDataAvailable.withLock({ $0 }),
      let isAvailable = MainQueue.ifCurrent(ask).flatMap({ $0 }),
      isProtectedDataAvailable.take() != nil
    else { return }
    if !isAvailable { feed.send(.protectedDataWillBecomeUnavailable) }
  }

  /// Sends the event that the notification means. Thread-safe.
  func receive(_ notification: Notification) {
    reportProtectedData()
    sendEvent(for: notification)
    for (name, kind) in table.ceilings(for: notification) {
      let ceiling = parts.withLock { parts in
        let ceiling = parts.ceilings[name] ?? feed.part(as: .ceiling)
        parts.ceilings[name] = ceiling
        return ceiling
      }
      ceiling.send(kind)
    }
  }

  private func sendEvent(for notification: Notification) {
    guard let (kind, subject, metadata) = table.event(for: notification) else { return }
    switch subject {
    case .source:
      feed.send(kind, metadata: metadata)
    case .object(let label, let identifier):
      guard let object = notification.instance else { return }
      let (part, left) = part(object, label, identifier(object), isLast: kind == .willTerminate)
      part.feed.send(kind, metadata: metadata)
      // Sent after the object's own event: the object may continue in place of one that has left.
      for part in left {
        part.feed.disconnect()
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
          feed.part(as: .participant(LifecycleParticipant(rawValue: name)))
        )
      }
    }
    while true {
      let number = parts.lastNumber
      let name = identifier.map { "\(label) \($0) (\(number))" } ?? "\(label) \(number)"
      if let feed = feed.part(ofNewParticipant: LifecycleParticipant(rawValue: name)) {
        parts.names.insert(name)
        return Part(object, name, feed)
      }
      // Another source already uses this number.
      parts.lastNumber += 1
    }
  }
}
