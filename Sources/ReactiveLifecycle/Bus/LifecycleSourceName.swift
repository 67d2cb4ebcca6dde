/// The name under which a source reports, such as `processSignals`.
///
/// ```swift
/// extension LifecycleSourceName {
///   static let remoteControl: Self = "remoteControl"
/// }
/// ```
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

extension LifecycleSourceName: CustomStringConvertible {
  public var description: String { rawValue }
}
