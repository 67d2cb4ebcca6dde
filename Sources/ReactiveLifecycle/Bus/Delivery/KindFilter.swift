/// Which kinds an observer wants: one bit for each kind among the first 64 names of the process,
/// which are those of kinds and of sources; a set for the rest.
package struct KindFilter: Sendable {
  private let mask: UInt64
  private let others: Set<LifecycleEvent.Kind>?

  /// Every kind.
  package static let all = KindFilter(mask: .max, others: nil)

  package static let transitions = KindFilter(some: LifecycleEvent.Kind.transitions)

  package init(some kinds: [LifecycleEvent.Kind]) {
    var mask: UInt64 = 0
    var others: Set<LifecycleEvent.Kind> = []
    for kind in kinds {
      if let bit = kind.bit { mask |= bit } else { others.insert(kind) }
    }
    self.init(mask: mask, others: others)
  }

  /// The kinds given, or every kind for nil.
  package init(_ kinds: [LifecycleEvent.Kind]?) {
    self = if let kinds { KindFilter(some: kinds) } else { .all }
  }

  private init(mask: UInt64, others: Set<LifecycleEvent.Kind>?) {
    self.mask = mask
    self.others = others
  }

  func contains(_ kind: LifecycleEvent.Kind) -> Bool {
    if let bit = kind.bit { return mask & bit != 0 }
    return others?.contains(kind) ?? true
  }
}

extension LifecycleEvent.Kind {
  fileprivate var bit: UInt64? {
    name.id < 64 ? 1 << UInt64(name.id) : nil
  }
}
