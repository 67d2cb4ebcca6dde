import LifecycleSupport

/// The name under which a source reports, such as `processSignals`.
///
/// ```swift
/// extension LifecycleSourceName {
///   static let remoteControl: Self = "remoteControl"
/// }
/// ```
///
/// Each distinct name is kept for the life of the process. Use a fixed set of names, and
/// ``LifecycleParticipant`` for things that come and go, such as windows.
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

/// A name that is compared and copied as a number, so that events stay plain bits.
///
/// Names are kept for the life of the process, because copies of a number can be anywhere. A
/// program has only a handful of names.
struct InternedName: Hashable, Sendable {
  let id: UInt32

  init(id: UInt32) {
    self.id = id
  }

  init(_ text: String) {
    id = Self.table.withLock { $0.id(of: text) }
  }

  var text: String {
    Self.table.withLock { $0.names[Int(id)] }
  }

  private struct Table {
    var names: [String] = []
    var ids: [String: UInt32] = [:]

    init() {
      for kind in LifecycleEvent.Kind.BuiltIn.allCases { _ = id(of: kind.stringValue) }
    }

    mutating func id(of text: String) -> UInt32 {
      if let id = ids[text] { return id }
      let id = UInt32(names.count)
      names.append(text)
      ids[text] = id
      return id
    }
  }

  private static let table = Locked(Table())
}
