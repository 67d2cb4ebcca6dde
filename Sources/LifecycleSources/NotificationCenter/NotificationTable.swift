public import Foundation
public import ReactiveLifecycle

/// A table that maps raw notification names to events.
///
/// ```swift
/// let table: NotificationTable = [
///   "UIApplicationDidEnterBackgroundNotification": .didEnterBackground,
///   "UIApplicationWillEnterForegroundNotification": .willEnterForeground,
/// ]
/// ```
///
/// A name is a raw string, or a `Notification.Name` such as
/// `UIApplication.didEnterBackgroundNotification`. Each name occurs in a table once: adding it
/// again replaces its meaning.
public struct NotificationTable: Sendable {
  /// A closure that creates text for the observers from a notification. Called on the thread that
  /// posts the notification.
  public typealias UserInfo = @Sendable (Notification) -> [String: String]

  /// A closure that returns the meaning of a posted notification, or nil if it has none. Called
  /// on the thread that posts the notification.
  typealias Meaning = @Sendable (Notification) -> LifecycleEvent.Kind?

  struct Row: Sendable {
    let meaning: Meaning
    let subject: NotificationSubject
    let metadata: UserInfo?
  }

  private(set) var rows: [String: Row] = [:]

  /// The raw names in the table, sorted.
  public var names: [String] { rows.keys.sorted() }

  /// Creates a table without rows.
  public init() {}

  /// Assigns a kind of event to a raw name.
  ///
  /// ```swift
  /// var windows = NotificationTable()
  /// windows.add(.didBecomeActive, for: "NSWindowDidBecomeKeyNotification", about: .object("window"))
  /// windows.add(.willTerminate, for: "NSWindowWillCloseNotification", about: .object("window"))
  /// ```
  ///
  /// - Parameters:
  ///   - kind: The meaning of the notification.
  ///   - name: The raw name of the notification.
  ///   - subject: The subject that the notification reports on.
  ///   - metadata: A closure that returns what the observers receive in addition, or nil for
  ///     nothing.
  public mutating func add(
    _ kind: LifecycleEvent.Kind,
    for name: String,
    about subject: NotificationSubject = .source,
    metadata: UserInfo? = nil
  ) {
    add(for: name, about: subject, metadata: metadata) { _ in kind }
  }

  /// Assigns a kind of event to a name that a framework declares.
  ///
  /// Otherwise like ``add(_:for:about:metadata:)-(_,String,_,_)``.
  ///
  /// - Parameters:
  ///   - kind: The meaning of the notification.
  ///   - name: The name of the notification.
  ///   - subject: The subject that the notification reports on.
  ///   - metadata: A closure that returns what the observers receive in addition, or nil for
  ///     nothing.
  public mutating func add(
    _ kind: LifecycleEvent.Kind,
    for name: Notification.Name,
    about subject: NotificationSubject = .source,
    metadata: UserInfo? = nil
  ) {
    add(kind, for: name.rawValue, about: subject, metadata: metadata)
  }

  /// Assigns the meaning that a closure returns for a posted notification to a raw name. Called
  /// on the thread that posts the notification.
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
  /// Creates a table from names, each a raw string or a `Notification.Name`, and the kinds of
  /// events that they mean.
  ///
  /// A name in the literal is written with its type: `Notification.Name.accountDidLock`, not
  /// `.accountDidLock`.
  public init(
    dictionaryLiteral elements: (any NotificationNameConvertible, LifecycleEvent.Kind)...
  ) {
    for (name, kind) in elements { add(kind, for: name.notificationName) }
  }
}
