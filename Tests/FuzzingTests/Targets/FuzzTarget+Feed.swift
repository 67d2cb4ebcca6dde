import Foundation

@testable import FeedRefresher

extension FuzzTarget {
  /// A document in RSS or Atom.
  static let feed = FuzzTarget("feed") { bytes in
    do throws(FeedProblem) {
      let feed = try Feed(Data(bytes))
      guard !feed.entries.contains(where: \.id.isEmpty) else {
        return "an entry without an identifier"
      }
    } catch {
      let isLine = !error.description.contains { $0.isNewline }
      guard isLine else { return "a message of several lines: \(error)" }
    }
    return nil
  }
}
