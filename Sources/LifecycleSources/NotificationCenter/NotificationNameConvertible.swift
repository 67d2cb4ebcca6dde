public import Foundation

/// A name in the literal of a ``NotificationTable``: a `Notification.Name`, or its raw string.
public protocol NotificationNameConvertible {
  /// The name that notifications carry.
  var notificationName: Notification.Name { get }
}

extension String: NotificationNameConvertible {
  /// The name with this raw string.
  public var notificationName: Notification.Name { Notification.Name(self) }
}

extension Notification.Name: NotificationNameConvertible {
  /// The name itself.
  public var notificationName: Notification.Name { self }
}
