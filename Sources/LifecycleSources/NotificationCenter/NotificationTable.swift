import Foundation
import ReactiveLifecycle

/// Which raw notification names mean which events.
///
/// ```swift
/// let table: NotificationTable = [
///   "UIApplicationDidEnterBackgroundNotification": .didEnterBackground,
///   "UIApplicationWillEnterForegroundNotification": .willEnterForeground,
/// ]
/// ```
///
/// A name stands in a table once: adding it again replaces what it meant.
public struct NotificationTable: Sendable {
  /// Makes text for the observers from a notification. Called where it was posted.
  public typealias UserInfo = @Sendable (Notification) -> [String: String]

  struct Row: Sendable {
    let kind: LifecycleEvent.Kind
    let userInfo: UserInfo?
  }

  private(set) var rows: [String: Row] = [:]

  /// The raw names in the table, sorted.
  public var names: [String] { rows.keys.sorted() }

  /// A table without rows.
  public init() {}

  /// Lets a raw name mean a kind of event.
  ///
  /// - Parameters:
  ///   - kind: What the notification means.
  ///   - name: The notification's raw name.
  ///   - userInfo: What the observers are told besides; nothing, if nil.
  public mutating func add(
    _ kind: LifecycleEvent.Kind,
    for name: String,
    userInfo: UserInfo? = nil
  ) {
    rows[name] = Row(kind: kind, userInfo: userInfo)
  }
}

extension NotificationTable: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, LifecycleEvent.Kind)...) {
    for (name, kind) in elements { add(kind, for: name) }
  }
}

extension NotificationTable {
  /// The notifications of `UIApplication`, on iOS, tvOS, visionOS and Mac Catalyst.
  ///
  /// The constants' names are their raw strings, save for the two about protected data, which have
  /// no suffix (Apple, *UIApplication*, section *Notifications*).
  public static let uiApplication: NotificationTable = [
    "UIApplicationDidFinishLaunchingNotification": .didFinishLaunching,
    "UIApplicationWillEnterForegroundNotification": .willEnterForeground,
    "UIApplicationDidBecomeActiveNotification": .didBecomeActive,
    "UIApplicationWillResignActiveNotification": .willResignActive,
    "UIApplicationDidEnterBackgroundNotification": .didEnterBackground,
    "UIApplicationWillTerminateNotification": .willTerminate,
    "UIApplicationDidReceiveMemoryWarningNotification": .didReceiveMemoryWarning,
    "UIApplicationSignificantTimeChangeNotification": .significantTimeChange,
    "UIApplicationProtectedDataWillBecomeUnavailable": .protectedDataWillBecomeUnavailable,
    "UIApplicationProtectedDataDidBecomeAvailable": .protectedDataDidBecomeAvailable,
  ]
}
