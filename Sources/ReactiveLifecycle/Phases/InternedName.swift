import LifecycleSupport

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
    var names = LifecycleEvent.Kind.builtInNames
    var ids: [String: UInt32]

    init() {
      ids = Dictionary(
        uniqueKeysWithValues: names.enumerated().map { ($1, UInt32($0)) }
      )
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
