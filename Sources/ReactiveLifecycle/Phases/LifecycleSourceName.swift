/// The name under which a source reports, such as `processSignals`.
///
/// ```swift
/// extension LifecycleSourceName {
///   static let remoteControl: Self = "remoteControl"
/// }
/// ```
///
/// Each distinct name is kept for the life of the process and takes up to 150 bytes. Use a fixed
/// set of names, and ``LifecycleParticipant`` for things that come and go, such as windows.
public struct LifecycleSourceName: Hashable, Sendable {
  private let name: InternedName
}

extension LifecycleSourceName: RawRepresentable, ExpressibleByStringLiteral, Codable {
  public init(rawValue: String) {
    name = InternedName(rawValue)
  }

  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  public var rawValue: String { name.text }
}

// Without these, the standard library's `==` for `RawRepresentable` compares the texts, and looks
// up both under the process-wide lock.
extension LifecycleSourceName {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
  public static func != (lhs: Self, rhs: Self) -> Bool { lhs.name != rhs.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension LifecycleSourceName: CustomStringConvertible {
  public var description: String { rawValue }
}

// Reflection, which custom-dump uses, shows a name as plain text.
extension LifecycleSourceName: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}
