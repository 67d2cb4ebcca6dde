import ReactiveLifecycle

/// The subject that a notification reports on.
public struct NotificationSubject: Sendable {
  enum Kind: Sendable {
    case source
    case ceiling
    case object(label: String, identifier: Identifier)
  }

  /// A closure that returns a permanent name for an object, or nil if the object has none.
  /// Called on the thread that posts the notification.
  public typealias Identifier = @Sendable (AnyObject) -> String?

  let kind: Kind

  /// The source itself, in the role in which it is connected.
  public static let source = Self(kind: .source)

  /// A limit on how far forward the phase can be, such as a login session.
  ///
  /// The subject is a separate `LifecycleRole.ceiling`, whatever the role of the source.
  public static let ceiling = Self(kind: .ceiling)

  /// Returns a subject that makes the notification's object, such as a scene, a separate
  /// participant.
  ///
  /// The participant exists from the object's first notification to its `willTerminate`. If the
  /// object is released before that, the participant ends at the next notification about any
  /// object. A notification without an object is ignored.
  ///
  /// - Parameters:
  ///   - label: A word for the objects. The participants are named after it: `scene 1`,
  ///     `scene 2`, …
  ///   - identifier: A closure that returns a name for an object, to be used instead of a number.
  ///     Objects with the same name are still separate participants; the later one is also
  ///     numbered.
  public static func object(
    _ label: String,
    identifier: @escaping Identifier = { _ in nil }
  ) -> Self {
    Self(kind: .object(label: label, identifier: identifier))
  }
}
