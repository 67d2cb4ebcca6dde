public import Foundation
public import ReactiveLifecycle

/// Which raw notification names mean which events.
///
/// ```swift
/// let table: NotificationTable = [
///   "UIApplicationDidEnterBackgroundNotification": .didEnterBackground,
///   "UIApplicationWillEnterForegroundNotification": .willEnterForeground,
/// ]
/// ```
///
/// A name is the raw string, or a `Notification.Name` such as
/// `UIApplication.didEnterBackgroundNotification`. It stands in a table once: adding it again replaces what
/// it meant.
public struct NotificationTable: Sendable {
  /// Makes text for the observers from a notification. Called where it was posted.
  public typealias UserInfo = @Sendable (Notification) -> [String: String]

  /// Tells what a notification means when it is posted; nothing, if nil.
  typealias Meaning = @Sendable (Notification) -> LifecycleEvent.Kind?

  struct Row: Sendable {
    let meaning: Meaning
    let subject: NotificationSubject
    let metadata: UserInfo?
  }

  private(set) var rows: [String: Row] = [:]

  /// The raw names in the table, sorted.
  public var names: [String] { rows.keys.sorted() }

  /// A table without rows.
  public init() {}

  /// Lets a raw name mean a kind of event.
  ///
  /// ```swift
  /// var windows = NotificationTable()
  /// windows.add(.didBecomeActive, for: "NSWindowDidBecomeKeyNotification", about: .object("window"))
  /// windows.add(.willTerminate, for: "NSWindowWillCloseNotification", about: .object("window"))
  /// ```
  ///
  /// - Parameters:
  ///   - kind: What the notification means.
  ///   - name: The notification's raw name.
  ///   - subject: Whom it reports on.
  ///   - metadata: What the observers are told besides; nothing, if nil.
  public mutating func add(
    _ kind: LifecycleEvent.Kind,
    for name: String,
    about subject: NotificationSubject = .source,
    metadata: UserInfo? = nil
  ) {
    add(for: name, about: subject, metadata: metadata) { _ in kind }
  }

  /// Lets a name mean a kind of event: like ``add(_:for:about:metadata:)-(_,String,_,_)``, for a name that
  /// a framework declares.
  ///
  /// - Parameters:
  ///   - kind: The meaning of the notification.
  ///   - name: The notification's name.
  ///   - subject: Whom it reports on.
  ///   - metadata: What the observers receive in addition; nothing, if nil.
  public mutating func add(
    _ kind: LifecycleEvent.Kind,
    for name: Notification.Name,
    about subject: NotificationSubject = .source,
    metadata: UserInfo? = nil
  ) {
    add(kind, for: name.rawValue, about: subject, metadata: metadata)
  }

  /// Lets a raw name mean what the closure says when it is posted. Called where it was posted.
  mutating func add(
    for name: String,
    about subject: NotificationSubject = .source,
    metadata: UserInfo? = nil,
    meaning: @escaping Meaning
  ) {
    rows[name] = Row(meaning: meaning, subject: subject, metadata: metadata)
  }
}

extension NotificationTable: ExpressibleByDictionaryLiteral {
  /// A table of names, each a raw string or a `Notification.Name`, and the kinds that they mean.
  ///
  /// A name is written with its type there: `Notification.Name.accountDidLock`, not `.accountDidLock`.
  public init(
    dictionaryLiteral elements: (any NotificationNameConvertible, LifecycleEvent.Kind)...
  ) {
    for (name, kind) in elements { add(kind, for: name.notificationName) }
  }
}
