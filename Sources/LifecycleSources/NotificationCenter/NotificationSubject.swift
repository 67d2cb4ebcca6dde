import ReactiveLifecycle

/// Whom a notification reports on.
public struct NotificationSubject: Sendable {
  enum Kind: Sendable {
    case source
    case ceiling
    case object(label: String, identifier: Identifier)
  }

  /// Names an object for good, if it can. Called where the notification was posted.
  public typealias Identifier = @Sendable (AnyObject) -> String?

  let kind: Kind

  /// What the source is connected as.
  public static let source = Self(kind: .source)

  /// A limit to how far forward anything is, such as a login session: a `LifecycleRole.ceiling` of
  /// its own, whatever the source is connected as.
  public static let ceiling = Self(kind: .ceiling)

  /// The notification's object, such as a scene: a participant of its own, from its first notification to its
  /// `willTerminate`. One that is released before that counts as gone when the next notification about
  /// an object is heard. A notification without object is ignored.
  ///
  /// - Parameters:
  ///   - label: What the objects are. The participants are called by it: `scene 1`, `scene 2`, …
  ///   - identifier: What they are called by instead of a number. Objects that are called alike are
  ///     participants of their own all the same; the later one is numbered as well.
  public static func object(
    _ label: String,
    identifier: @escaping Identifier = { _ in nil }
  ) -> Self {
    Self(kind: .object(label: label, identifier: identifier))
  }
}
