import LifecycleSupport

/// A name that is compared and copied as a number, so that events stay plain bits.
///
/// The names live as long as the process, for a number may be anywhere; a program has a handful of them.
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
