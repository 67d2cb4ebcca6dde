/// What a feed offers.
struct Feed: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// The same as long as it is the same entry.
    var id: String
    /// On one line.
    var title: String

    init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  var entries: [Entry]

  init(entries: [Entry] = []) {
    self.entries = entries
  }
}
