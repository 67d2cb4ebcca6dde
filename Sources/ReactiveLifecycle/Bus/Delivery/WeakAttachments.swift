/// Weakly held objects by their type. A bus has one or two, so a linear search suffices.
struct WeakAttachments {
  private final class Reference {
    let type: ObjectIdentifier
    weak var object: (any AnyObject & Sendable)?

    init(_ type: ObjectIdentifier, _ object: any AnyObject & Sendable) {
      self.type = type
      self.object = object
    }
  }

  private var references: [Reference] = []

  subscript(type: ObjectIdentifier) -> (any AnyObject & Sendable)? {
    for reference in references where reference.type == type { return reference.object }
    return nil
  }

  mutating func insert(_ object: any AnyObject & Sendable, as type: ObjectIdentifier) {
    references.removeAll { $0.type == type }
    references.append(Reference(type, object))
  }
}
