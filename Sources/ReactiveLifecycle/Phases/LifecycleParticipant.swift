/// A subject that sources report on together, such as the application, one of its scenes, or a
/// child bus.
///
/// A participant has one phase, no matter which of its sources reported last.
///
/// ```swift
/// extension LifecycleParticipant {
///   static let mainWindow: Self = "main window"
/// }
/// ```
public struct LifecycleParticipant: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  /// Creates the participant with a name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The participant for the process as a whole, which the bus's own
  /// ``LifecycleBusProtocol/send(_:at:metadata:)`` reports on.
  public static let application: Self = "application"
}

extension LifecycleParticipant: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  public var description: String { rawValue }
}

// Reflection, which custom-dump uses, shows a participant as plain text.
extension LifecycleParticipant: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
