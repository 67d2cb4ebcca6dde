extension LifecycleEvent {
  /// A list of event kinds, such as the kinds that an observer receives.
  ///
  /// ```swift
  /// let saving: LifecycleEvent.Kinds = [.didEnterBackground, .willTerminate]
  /// bus.addObserver(for: saving, in: scope) { _ in save() }
  /// ```
  ///
  /// Order and repetitions have no effect. An empty list is allowed, and matches no event.
  /// A built-in kind needs no brackets: `publisher(for: .didEnterBackground)`. A kind that your
  /// program adds needs them, unless you also declare a list for it:
  ///
  /// ```swift
  /// extension LifecycleEvent.Kinds {
  ///   static let documentDidSave: Self = [.documentDidSave]
  /// }
  /// ```
  public struct Kinds: Sendable, Hashable {
    /// One bit for each listed kind among the first 64 names of the process. The names of kinds and
    /// of sources are numbered together.
    private let mask: UInt64
    /// The listed kinds that have no bit; nil if all such kinds are listed.
    private let others: Set<Kind>?

    private init(mask: UInt64, others: Set<Kind>?) {
      self.mask = mask
      self.others = others
    }

    /// Creates a list of the kinds in a sequence.
    ///
    /// - Complexity: O(*n*) in the number of kinds.
    public init(_ kinds: some Sequence<Kind>) {
      var mask: UInt64 = 0
      var others: Set<Kind> = []
      for kind in kinds {
        if let bit = kind.bit { mask |= bit } else { others.insert(kind) }
      }
      self.init(mask: mask, others: others)
    }

    /// All kinds, including those that programs add.
    public static var all: Kinds { Kinds(mask: .max, others: nil) }

    /// The six kinds that change the phase.
    public static let transitions = Kinds((Transition.upward + Transition.downward).map(\.kind))

    /// Returns a Boolean value that indicates whether the kind is in the list.
    ///
    /// - Complexity: O(1).
    public func contains(_ kind: Kind) -> Bool {
      if let bit = kind.bit { return mask & bit != 0 }
      return others?.contains(kind) ?? true
    }

    /// Returns the kinds that are in this list, in the other list, or in both.
    ///
    /// ```swift
    /// let kinds = LifecycleEvent.Kinds.transitions.union([.systemDidWake])
    /// ```
    public func union(_ other: Kinds) -> Kinds {
      let others = others.flatMap { others in other.others.map { others.union($0) } }
      return Kinds(mask: mask | other.mask, others: others)
    }

    /// Returns whether an event of a kind in this list is also in the other one.
    func intersects(_ other: Kinds) -> Bool {
      if mask & other.mask != 0 { return true }
      return switch (others, other.others) {
      case (nil, nil): true
      case (let some?, nil), (nil, let some?): !some.isEmpty
      case (let some?, let more?): !some.isDisjoint(with: more)
      }
    }

    /// The listed kinds: the built-in ones in order, then the others by name; nil for ``all``.
    var listed: [Kind]? {
      guard let others else { return nil }
      let numbered = (0..<UInt32(UInt64.bitWidth)).filter { mask & (1 << UInt64($0)) != 0 }
        .map { Kind(name: InternedName(id: $0)) }
      let builtIn = numbered.prefix(while: \.isBuiltIn)
      return builtIn
        + (numbered.dropFirst(builtIn.count) + others).sorted { $0.rawValue < $1.rawValue }
    }
  }
}

extension LifecycleEvent.Kinds: ExpressibleByArrayLiteral {
  public init(arrayLiteral kinds: LifecycleEvent.Kind...) {
    self.init(kinds)
  }
}

extension LifecycleEvent.Kinds: CustomStringConvertible {
  /// `[didEnterBackground, willTerminate]`, or `all`.
  public var description: String {
    guard let listed else { return "all" }
    return "[\(listed.map(\.rawValue).joined(separator: ", "))]"
  }
}

// Reflection, which custom-dump uses, shows a list as plain text.
extension LifecycleEvent.Kinds: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension LifecycleEvent.Kinds: Codable {
  /// Decodes a list from the form that ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError.dataCorrupted` that names the text found in place of a list.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self) else {
      self.init(try container.decode([LifecycleEvent.Kind].self))
      return
    }
    guard text == "all" else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription:
          "Expected an array of kinds or \"all\" but found \"\(text)\"."
      )
    }
    self = .all
  }

  /// Encodes an array of names, or the string `all` for ``all``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let listed {
      try container.encode(listed)
    } else {
      try container.encode("all")
    }
  }
}

extension LifecycleEvent.Kind {
  fileprivate var bit: UInt64? {
    name.id < 64 ? 1 << UInt64(name.id) : nil
  }

  fileprivate var isBuiltIn: Bool { name.id < Self.builtInNames.count }
}
