/// Why a feed could not be refreshed, in words.
package enum FeedProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case status(Int)
  /// The transfer did not come to its end.
  case transfer(String)
  case tooManyRedirects
  case redirected(scheme: String)
  case tooLarge
  case empty
  case malformed(line: Int, String)
  case declaresEntities
  /// The outermost element is that of no kind of feed.
  case noFeed(root: String)

  package var description: String {
    switch self {
    case .status(let status): "HTTP status \(status)"
    case .transfer(let reason): reason
    case .tooManyRedirects: "more than \(FeedDownload.redirectLimit) redirects"
    case .redirected(let scheme): "redirected to an address that is not http: \(scheme)"
    case .tooLarge: "more than \(FeedDownload.sizeLimit / 1_000_000) MB"
    case .empty: "empty answer"
    case .malformed(let line, let what): "malformed feed: line \(line): \(what)"
    case .declaresEntities: "malformed feed: it declares entities of its own"
    case .noFeed(let root): "not a feed: its outermost element is \(root)"
    }
  }
}
