public import Foundation
public import LifecycleCore

/// A table that maps raw notification names to events.
///
/// ```swift
/// let table: NotificationTable = [
///   "UIApplicationDidEnterBackgroundNotification": .didEnterBackground,
///   "UIApplicationWillEnterForegroundNotification": .willEnterForeground,
/// ]
/// ```
///
/// A name is a raw string, such as `UIApplication.didEnterBackgroundNotification.rawValue`. Each
/// name occurs in a table once: adding it again replaces its meaning.
public struct NotificationTable: Sendable {
  /// A closure that creates text for the observers from a notification. Called on the thread that
  /// posts the notification.
  public typealias UserInfo = @Sendable (Notification) -> [String: String]

  /// A closure that returns the meaning of a posted notification, or nil if it has none. Called
  /// on the thread that posts the notification.
  typealias Meaning = @Sendable (Notification) -> LifecycleEvent.Kind?

  private struct Row: Sendable {
    /// Nil if the name only begins or ends a ceiling.
    var meaning: Meaning?
    var subject = NotificationSubject.source
    var metadata: UserInfo?
    /// The ceilings that the name begins or ends, by the names that begin them.
    var ceilings: [(name: String, kind: LifecycleEvent.Kind)] = []
  }

  private var rows: [String: Row] = [:]

  /// The raw names in the table, sorted.
  package var names: [String] { rows.keys.reduce(into: []) { $0.insert($1, by: \.self) } }

  /// A Boolean value that indicates whether objects are separate participants.
  var hasParticipants: Bool {
    rows.values.contains { if case .object = $0.subject { true } else { false } }
  }

  /// Returns the event that a notification means; nil if it means none.
  func event(
    for notification: Notification
  ) -> (kind: LifecycleEvent.Kind, subject: NotificationSubject, metadata: [String: String])? {
    guard let row = rows[notification.name.rawValue], let kind = row.meaning?(notification)
    else { return nil }
    return (kind, row.subject, row.metadata?(notification) ?? [:])
  }

  /// Returns the ceilings that a notification begins or ends, and the events that it means for
  /// them.
  func ceilings(
    for notification: Notification
  ) -> [(name: String, kind: LifecycleEvent.Kind)] {
    rows[notification.name.rawValue]?.ceilings ?? []
  }

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

  /// Assigns the meaning that a closure returns for a posted notification to a raw name. Called
  /// on the thread that posts the notification.
  mutating func add(
    for name: String,
    about subject: NotificationSubject = .source,
    metadata: UserInfo? = nil,
    meaning: @escaping Meaning
  ) {
    let ceilings = rows[name]?.ceilings ?? []
    rows[name] = Row(meaning: meaning, subject: subject, metadata: metadata, ceilings: ceilings)
  }

  /// Adds a ceiling, such as a locked screen: from one notification until another one, the bus is
  /// in the background, whatever its other sources report.
  ///
  /// ```swift
  /// table.addCeiling(from: "com.apple.screenIsLocked", until: "com.apple.screenIsUnlocked")
  /// ```
  ///
  /// Several ceilings are separate: the bus returns to the foreground when all have ended. A
  /// ceiling is in effect whatever the role of the source.
  ///
  /// - Parameters:
  ///   - beginning: The raw name of the notification with which the ceiling begins.
  ///   - ends: The raw names of the notifications that end it; any of them does.
  public mutating func addCeiling(from beginning: String, until ends: String...) {
    rows[beginning, default: Row()].ceilings.append((beginning, .didEnterBackground))
    for end in ends { rows[end, default: Row()].ceilings.append((beginning, .didBecomeActive)) }
  }
}

extension NotificationTable: ExpressibleByDictionaryLiteral {
  /// Creates a table from raw names and the kinds of events that they mean.
  public init(dictionaryLiteral elements: (String, LifecycleEvent.Kind)...) {
    for (name, kind) in elements { add(kind, for: name) }
  }
}

/// The subject that a notification reports on.
@nonexhaustive
public enum NotificationSubject: Sendable {
  /// A closure that returns a permanent name for an object, or nil if the object has none.
  /// Called on the thread that posts the notification.
  public typealias Identifier = @Sendable (AnyObject) -> String?

  /// The source itself, in the role in which it is connected.
  case source

  /// A subject that makes the notification's object, such as a scene, a separate participant.
  ///
  /// The participant exists from the object's first notification to its `willTerminate`. If the
  /// object is released before that, the participant ends at the next notification about any
  /// object. A notification without an object is ignored.
  ///
  /// The participants are named after the label: `scene 1`, `scene 2`, …, or with what the
  /// identifier returns instead of a number. Objects with the same name are still separate
  /// participants; the later one is also numbered.
  case object(_ label: String, identifier: Identifier = { _ in nil })
}
