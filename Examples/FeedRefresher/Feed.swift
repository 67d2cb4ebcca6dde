/// What a feed offers.
package struct Feed: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The same as long as it is the same entry.
    package var id: String
    /// On one line.
    package var title: String

    package init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  package var entries: [Entry]

  package init(entries: [Entry] = []) {
    self.entries = entries
  }
}
