import Foundation
import LifecycleSupport

/// A server of HTTP with a feed that the test changes, which answers conditional requests.
final class FeedServer: Sendable {
  private final class Feed: Sendable {
    private let state = Locked((body: Feeds.rss("a", "b"), version: 1, statuses: [Int]()))

    var statuses: [Int] { state.withLock { $0.statuses } }

    func publish(_ body: Data) { state.withLock { $0 = (body, $0.version + 1, $0.statuses) } }

    func answer(_ request: String, on connection: RawServer.Connection) {
      let (isKnown, tag, date, body) = state.withLock { state in
        let tag = "\"\(state.version)\""
        let date = "Wed, 21 Oct 2015 07:28:0\(state.version % 10) GMT"
        let isKnown =
          request.contains("If-None-Match: \(tag)")
          && request.contains("If-Modified-Since: \(date)")
        state.statuses.append(isKnown ? 304 : 200)
        return (isKnown, tag, date, isKnown ? Data() : state.body)
      }
      let status = isKnown ? "304 Not Modified" : "200 OK"
      let length = "Content-Length: \(body.count)"
      connection.answer(status, "ETag: \(tag)", "Last-Modified: \(date)", length)
      connection.write(body)
    }
  }

  let url: URL
  private let feed = Feed()
  private let server: RawServer

  init() throws {
    server = try RawServer { [feed] _, request, connection in
      feed.answer(request, on: connection)
    }
    url = URL(string: "http://127.0.0.1:\(server.port)/feed")!
  }

  /// The status of each answer so far.
  var statuses: [Int] { feed.statuses }

  func publish(_ body: Data) { feed.publish(body) }
}

/// Documents for tests.
enum Feeds {
  static func rss(_ ids: String...) -> Data {
    let items = ids.map { "<item><guid>\($0)</guid><title>Title of \($0)</title></item>" }
    return Data(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0"><channel><title>A feed</title>
      \(items.joined(separator: "\n"))
      </channel></rss>
      """.utf8
    )
  }

  /// Ten levels of twenty: 20¹⁰ letters.
  static func bomb(in body: String) -> Data {
    let letters = Array("abcdefghijk")
    var entities = "<!ENTITY a \"aaaaaaaaaaaaaaaaaaaa\">"
    for (inner, outer) in zip(letters, letters.dropFirst()) {
      entities += "<!ENTITY \(outer) \"\(String(repeating: "&\(inner);", count: 20))\">"
    }
    return Data("<!DOCTYPE rss [\(entities)]><rss><channel>\(body)</channel></rss>".utf8)
  }
}
