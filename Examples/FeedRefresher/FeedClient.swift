import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The validators that a server sends with a feed, for asking it later whether the feed has
/// changed.
struct FeedValidators: Hashable, Sendable {
  var entityTag: String?
  var lastModified: String?
}

/// A client for the feed at an address, which returns the entries that are new since the last
/// refresh.
///
/// A feed may have 10 MB, and elements that are nested 256 deep. Anything beyond that is a
/// ``FeedProblem``; so is a document type with declarations between brackets.
///
/// Two limits are those of FoundationNetworking on Linux (Swift 6.3), and no caller of `URLSession`
/// can lift them:
/// - An answer whose `Content-Length` is from 2⁶³ − 512 to 2⁶³ − 1 ends the process by SIGILL.
///   While `_EasyHandle` reads the header, it converts the length from a `Double` to an `Int64`,
///   before its client receives the answer.
/// - If it gets no memory, as under a limit of the address space (`ulimit -v`), it may hang or
///   crash, for example where it reads `ProcessInfo.environment` for its debug switch. 600 MB are
///   enough.
actor FeedClient {
  private let url: URL
  private let download = FeedDownload()
  private var validators = FeedValidators()
  private var seen: Set<String> = []

  /// - Parameter url: An address with the scheme http or https.
  init(_ url: URL) {
    self.url = url
  }

  /// Loads the feed, unless the server reports that it has not changed since the last refresh.
  ///
  /// - Parameter onProgress: Called on any thread, with the number of bytes so far.
  /// - Returns: The entries that were not there at an earlier refresh, in their order.
  /// - Throws: `FeedProblem`, or `CancellationError`.
  func refresh(
    onProgress: @escaping @Sendable (_ bytes: Int) -> Void = { _ in }
  ) async throws -> [Feed.Entry] {
    var request = URLRequest(url: url)
    request.setValue("feed-refresher", forHTTPHeaderField: "User-Agent")
    request.setValue(
      "application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5",
      forHTTPHeaderField: "Accept"
    )
    request.setValue(validators.entityTag, forHTTPHeaderField: "If-None-Match")
    request.setValue(validators.lastModified, forHTTPHeaderField: "If-Modified-Since")
    let answer = try await download.load(request, onProgress: onProgress)
    switch answer.status {
    case 304: return []
    case 200: break
    case let status: throw FeedProblem.status(status)
    }
    let reading = Result { try Feed(answer.body) }
    try Task.checkCancellation()
    let feed = try reading.get()
    validators = answer.validators
    return feed.entries.filter { seen.insert($0.id).inserted }
  }
}
