import ProgramReporting

/// The reason why a feed could not be refreshed, described in words.
enum FeedProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case status(Int)
  /// The transfer was not completed.
  case transfer(String)
  case tooManyRedirects
  case redirected(scheme: String)
  case tooLarge
  case empty
  case malformed(line: Int, String)
  /// The document type has a subset between brackets.
  case hasDeclarations
  case tooDeep(line: Int)
  /// The outermost element does not belong to any kind of feed.
  case noFeed(root: String)

  var description: String {
    switch self {
    case .status(let status): "HTTP status \(status)"
    case .transfer(let reason): reason
    case .tooManyRedirects: "more than \(FeedDownload.redirectLimit) redirects"
    case .redirected(let scheme):
      "redirected to an unsupported scheme: \(OutsideText.line(scheme, limit: 50))"
    case .tooLarge: "larger than \(Feed.sizeLimit / 1_000_000) MB"
    case .empty: "empty response"
    case .malformed(let line, let what): "malformed feed: line \(line): \(what)"
    case .hasDeclarations: "malformed feed: its document type contains declarations"
    case .tooDeep(let line):
      "malformed feed: line \(line): elements are nested more than \(Feed.depthLimit) levels deep"
    case .noFeed(let root):
      "not a feed: its root element is \(OutsideText.line(root, limit: 50))"
    }
  }
}
