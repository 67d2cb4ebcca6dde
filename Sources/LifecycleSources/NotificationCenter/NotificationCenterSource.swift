public import Foundation
public import ReactiveLifecycle

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

  /// Creates a source from a notification center and a table of names.
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
  public init(
    center: NotificationCenter = .default,
    object: (any AnyObject & Sendable)? = nil,
    table: NotificationTable,
    name: LifecycleSourceName = "notificationCenter",
    current: (@MainActor @Sendable () -> [Notification])? = nil
  ) {
    self.center = center
    self.object = object
    self.table = table
    self.name = name
    self.current = current
  }

  /// Registers an observer for each name in the table, and reports the notifications that `current`
  /// returns.
  ///
  /// - Throws: ``RoleError`` if the table's objects are participants and the source is to be a
  ///   ceiling.
  public func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    guard input.role != .ceiling || !table.hasParticipants else { throw RoleError(source: name) }
    let feed = NotificationFeed(table, input)
    let isAnybodys = object == nil
    // They are only passed back to the center, which any thread may do.
    let observers = UncheckedSendable(
      table.rows.keys.map { name in
        center.addObserver(forName: Notification.Name(name), object: object, queue: nil) {
          [weak object] notification in
          // Once the object is released, another one may have its address.
          if isAnybodys || object != nil { feed.hear(notification) }
        }
      }
    )
    let remove = { @Sendable [center] in
      for observer in observers.value { center.removeObserver(observer) }
    }
    guard let current else { return remove }
    let report = { @MainActor @Sendable in
      for notification in current() { feed.hear(notification) }
    }
    if MainQueue.ifCurrent(report) != nil { return remove }
    let task = Task { @MainActor in
      if !Task.isCancelled { report() }
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
  public struct RoleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the source.
    public let source: LifecycleSourceName

    public var description: String {
      """
      The source "\(source)" can't be a ceiling because each of its objects is a separate \
      participant. Connect the source to a separate bus as the application, and that bus as the ceiling.
      """
    }
  }
}

extension NotificationTable {
  fileprivate var hasParticipants: Bool {
    rows.values.contains { if case .object = $0.subject.kind { true } else { false } }
  }
}

extension LifecycleSource where Self == NotificationCenterSource {
  /// Returns a source for the notifications of a center, with a table of their raw names.
  ///
  /// ```swift
  /// try bus.connect(.notificationCenter(table: .uiApplication)).store(in: scope)
  /// ```
  ///
  /// - Parameters:
  ///   - center: The center where the notifications are posted.
  ///   - table: The meanings of the notifications.
  ///   - name: The name under which the source reports.
  public static func notificationCenter(
    _ center: NotificationCenter = .default,
    table: NotificationTable,
    name: LifecycleSourceName = "notificationCenter"
  ) -> Self {
    NotificationCenterSource(center: center, table: table, name: name)
  }
}
