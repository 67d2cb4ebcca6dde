extension SuppressedInput {
  /// The reason why an input was not delivered.
  ///
  /// Not an enumeration, because later versions may add reasons.
  public struct Reason: Sendable, Hashable {
    // Without a raw type, which would be hashed as text.
    enum Name: Sendable, Hashable, CaseIterable {
      case duplicate, masked, terminated, disconnected
    }

    let name: Name

    /// A transition that would not have changed the phase of its participant or ceiling: a
    /// repetition.
    public static let duplicate = Self(name: .duplicate)
    /// A transition that moved its participant or ceiling, but not the bus.
    public static let masked = Self(name: .masked)
    /// An input after the `willTerminate` or the release of the bus, or a transition after the
    /// `willTerminate` of its participant.
    public static let terminated = Self(name: .terminated)
    /// An input from a source, or a part of one, that is no longer connected.
    public static let disconnected = Self(name: .disconnected)
  }
}

extension SuppressedInput.Reason: RawRepresentable, Codable, CaseIterable {
  /// All reasons that this version defines.
  public static var allCases: [Self] { Name.allCases.map(Self.init) }

  /// Creates the reason with a name; nil if there is none.
  public init?(rawValue: String) {
    guard let reason = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = reason
  }

  /// The reason's name, such as `duplicate`.
  public var rawValue: String {
    switch name {
    case .duplicate: "duplicate"
    case .masked: "masked"
    case .terminated: "terminated"
    case .disconnected: "disconnected"
    }
  }
}

// Without these, the standard library's `==` for `RawRepresentable` compares the texts.
extension SuppressedInput.Reason {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
  public static func != (lhs: Self, rhs: Self) -> Bool { lhs.name != rhs.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension SuppressedInput.Reason: CustomStringConvertible, CustomReflectable {
  public var description: String { rawValue }

  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
