/// A change of something that a feature above the core has on the bus for a while.
package struct BusActivity: Sendable {
  package enum Kind: Sendable {
    case countdown, backgroundTask, fetch
  }

  package enum Change: Sendable {
    case began, paused, resumed
    case ended(String)
  }

  package let kind: Kind
  package let id: Int
  package let name: String
  package let change: Change

  package init(_ kind: Kind, id: Int, name: String, _ change: Change) {
    self.kind = kind
    self.id = id
    self.name = name
    self.change = change
  }
}
