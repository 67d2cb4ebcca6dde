public import Foundation

/// A name in the literal of a ``NotificationTable``: a `Notification.Name`, or its raw string.
public protocol NotificationNameConvertible {
  /// The name as notifications bear it.
  var notificationName: Notification.Name { get }
}

extension String: NotificationNameConvertible {
  /// The name whose raw string this is.
  public var notificationName: Notification.Name { Notification.Name(self) }
}

extension Notification.Name: NotificationNameConvertible {
  /// The name itself.
  public var notificationName: Notification.Name { self }
}
