public import Foundation
public import ReactiveLifecycle

/// Feeds a bus from the notifications of a centre.
///
/// One observer per name, `queue: nil`: the bus has the input before the post returns. Whoever
/// repeats a notification, with whatever object, repeats an input, which the bus suppresses. A centre
/// knows no phase: what was posted before the connection is reported only as far as `current` tells it.
public struct NotificationCenterSource: LifecycleSource {
  public let name: LifecycleSourceName
  private let center: NotificationCenter
  private let object: (any AnyObject & Sendable)?
  private let table: NotificationTable
  private let current: (@MainActor @Sendable () -> [Notification])?

  /// A source for a centre and the names in a table.
  ///
  /// - Parameters:
  ///   - center: Where the notifications are posted.
  ///   - object: Whose notifications count; everybody's, if nil. Not kept alive by the connection.
  ///   - table: What they mean.
  ///   - name: The name under which the source reports.
  ///   - current: The notifications that tell how things stand when the source starts, whether or not
  ///     they were posted. Called once for each connection: before `connect` returns, if that is called
  ///     on the main actor, and soon after it if not.
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

  /// - Throws: ``RoleError`` if the objects in the table are participants, and the source is to be a ceiling.
  public func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    guard input.role != .ceiling || !table.hasParticipants else { throw RoleError(source: name) }
    let feed = NotificationFeed(table, input)
    let isAnybodys = object == nil
    let observers = table.rows.keys.map { name in
      center.addObserver(forName: Notification.Name(name), object: object, queue: nil) {
        [weak object] notification in
        // Once it is gone, another object may have its address.
        if isAnybodys || object != nil { feed.hear(notification) }
      }
    }
    let registration = Registration(center: center, observers: observers)
    guard let current else { return { registration.remove() } }
    let report = { @MainActor @Sendable in
      for notification in current() { feed.hear(notification) }
    }
    if MainQueue.isCurrent {
      MainActor.assumeIsolated(report)
      return { registration.remove() }
    }
    let task = Task { @MainActor in
      if !Task.isCancelled { report() }
    }
    return {
      task.cancel()
      registration.remove()
    }
  }

  /// `@unchecked Sendable`: the observers are only handed back to the centre, which may be called
  /// from any thread.
  private final class Registration: @unchecked Sendable {
    private let center: NotificationCenter
    private let observers: [any NSObjectProtocol]

    init(center: NotificationCenter, observers: [any NSObjectProtocol]) {
      self.center = center
      self.observers = observers
    }

    func remove() {
      for observer in observers { center.removeObserver(observer) }
    }
  }
}

extension NotificationCenterSource {
  /// The source can't be a ceiling: its objects, such as scenes, are presences, each of its own.
  public struct RoleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the source.
    public let source: LifecycleSourceName

    public var description: String {
      """
      The source "\(source)" can't be a ceiling, since each of its objects is a participant of its own. \
      Connect it to a bus of its own, as a presence, and that bus as the ceiling.
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
  /// The notifications of a centre, by a table of raw names.
  ///
  /// ```swift
  /// let connection = try bus.connect(.notificationCenter(table: .uiApplication))
  /// ```
  ///
  /// - Parameters:
  ///   - center: Where the notifications are posted.
  ///   - table: What they mean.
  ///   - name: The name under which the source reports.
  public static func notificationCenter(
    _ center: NotificationCenter = .default,
    table: NotificationTable,
    name: LifecycleSourceName = "notificationCenter"
  ) -> Self {
    NotificationCenterSource(center: center, table: table, name: name)
  }
}
