/// The content of a feed.
struct Feed: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// An identifier that stays the same for the same entry.
    var id: String
    /// The title, on one line.
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
