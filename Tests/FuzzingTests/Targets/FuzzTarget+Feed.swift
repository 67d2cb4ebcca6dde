import Foundation

@testable import FeedRefresher

extension FuzzTarget {
  /// A document in RSS or Atom.
  static let feed = FuzzTarget("feed") { bytes in
    do throws(FeedProblem) {
      let feed = try Feed(Data(bytes))
      return feed.entries.contains { $0.id.isEmpty } ? "an entry without an identifier" : nil
    } catch {
      let isLine = !error.description.contains { $0.isNewline }
      return isLine ? nil : "a message of several lines: \(error)"
    }
  }
}
