/// What several sources report on together, such as the application, one of its scenes, or a child
/// bus. It has one phase, whichever of its sources spoke last.
///
/// ```swift
/// extension LifecycleParticipant {
///   static let mainWindow: Self = "main window"
/// }
/// ```
public struct LifecycleParticipant: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  /// The participant of that name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The participant of the process as a whole, to which the bus's own
  /// ``LifecycleBusProtocol/send(_:at:metadata:)`` belongs.
  public static let application: Self = "application"
}

extension LifecycleParticipant: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  public var description: String { rawValue }
}

// A name is plain text to whoever reflects it, custom-dump among others.
extension LifecycleParticipant: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
