import LifecycleSupport

/// Objects that features have attached to a bus, which does not keep them alive. One of each type;
/// a bus has one or two.
///
/// Not generic, because generic functions of another module are not specialized.
struct Attachments: ~Copyable, Sendable {
  struct Reference {
    let type: ObjectIdentifier
    weak var object: (any AnyObject & Sendable)?
  }

  private let references = Locked<[Reference]>([])

  func object(_ type: ObjectIdentifier) -> (any AnyObject & Sendable)? {
    references.withLock { references in references.first { $0.type == type }?.object }
  }

  /// Adds an object, and returns it, unless there is one of its type; then returns that one.
  func add(_ object: any AnyObject & Sendable, as type: ObjectIdentifier)
    -> any AnyObject & Sendable
  {
    references.withLock { references in
      if let earlier = references.first(where: { $0.type == type })?.object { return earlier }
      references.removeAll { $0.type == type }
      references.append(Reference(type: type, object: object))
      return object
    }
  }
}
