import Foundation
import ReactiveLifecycle

/// Feeds a bus from the notifications of a centre.
///
/// One observer per name, `queue: nil`: the bus has the input before the post returns. Whoever
/// repeats a notification, with whatever object, repeats an input, which the bus suppresses. A centre
/// knows no phase: what was posted before the connection is not reported.
public struct NotificationCenterSource: LifecycleSource {
  public let name: LifecycleSourceName
  private let center: NotificationCenter
  private let table: NotificationTable

  /// A source for a centre and the names in a table.
  ///
  /// - Parameters:
  ///   - center: Where the notifications are posted.
  ///   - table: What they mean.
  ///   - name: The name under which the source reports.
  public init(
    center: NotificationCenter = .default,
    table: NotificationTable,
    name: LifecycleSourceName = "notificationCenter"
  ) {
    self.center = center
    self.table = table
    self.name = name
  }

  public func start(_ input: LifecycleInput) -> @Sendable () -> Void {
    let observers = table.rows.map { name, row in
      center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) {
        input.send(row.kind, userInfo: row.userInfo?($0) ?? [:])
      }
    }
    let registration = Registration(center: center, observers: observers)
    return { registration.remove() }
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
