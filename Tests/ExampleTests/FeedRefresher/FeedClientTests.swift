import CustomDump
import Foundation
import Testing

@testable import FeedRefresher

@Suite("Feeds over HTTP")
struct FeedClientTests {
  private func problem(_ url: URL) async -> String? {
    do {
      _ = try await FeedClient(url).refresh()
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func expect(_ client: FeedClient, _ ids: [String]) async throws {
    let found = try await client.refresh().map(\.id)
    expectNoDifference(found, ids)
  }

  @Test("Each refresh returns only new entries, and an unchanged feed is answered with 304")
  func firstLookIsAllNewThenOnlyWhatIsNew() async throws {
    let server = try FeedServer()
    let client = FeedClient(server.url)
    try await expect(client, ["a", "b"])
    try await expect(client, [])
    server.publish(Feeds.rss("c", "a", "b"))
    try await expect(client, ["c"])
    server.publish(Feeds.rss("b", "c"))
    try await expect(client, [])
    expectNoDifference(server.statuses, [200, 304, 200, 200])
  }

  @Test("After a malformed feed, the next request is unconditional")
  func malformedOnce() async throws {
    let server = try FeedServer()
    server.publish(Data("<rss>".utf8))
    let client = FeedClient(server.url)
    await #expect(throws: FeedProblem.self) { try await client.refresh() }
    await #expect(throws: FeedProblem.self) { try await client.refresh() }
    expectNoDifference(server.statuses, [200, 200])
  }

  @Test("Each unusable answer of a server is an error with a reason")
  func everyAnswerHasAReason() async throws {
    let feed = String(decoding: Feeds.rss("a"), as: UTF8.self)
    let server = try RawServer { path, _, connection in
      switch path {
      case "/500": connection.answer("500 No", "Content-Length: 1", body: "x")
      case "/404": connection.answer("404 No", "Content-Length: 0")
      case "/204": connection.answer("204 No")
      case "/empty": connection.answer("200 OK", "Content-Length: 0")
      case "/html":
        connection.answer("200 OK", body: "<html><p></html>")
      case "/long": connection.answer("200 OK", "Content-Length: 9999", body: feed)
      case "/short": connection.answer("200 OK", "Content-Length: 60", body: feed)
      case "/garbage": connection.write("hello\r\n\r\n")
      case "/loop":
        connection.answer("302 F", "Location: /loop", "Content-Length: 0")
      case "/file":
        connection.answer("302 F", "Location: file:///etc/passwd", "Content-Length: 0")
      case "/chunks":
        connection.answer("200 OK", "Transfer-Encoding: chunked", body: "xyz\r\n")
      case "/large":
        connection.answer("200 OK")
        while connection.write(Data(repeating: 0x20, count: 65_536)) {}
      default: break  // closes the connection
      }
    }
    let expected: [(String, String?)] = [
      ("500", "HTTP status 500"), ("404", "HTTP status 404"), ("204", "HTTP status 204"),
      ("empty", "empty response"), ("html", "not a feed: its root element is html"),
      ("loop", "more than 10 redirects"), ("large", "larger than 10 MB"),
      ("long", nil), ("short", nil), ("garbage", "the response is not HTTP"), ("file", nil),
      ("chunks", nil),
      ("close", nil),
    ]
    for (path, reason) in expected {
      let found = await problem(URL(string: "http://127.0.0.1:\(server.port)/\(path)")!)
      expectNoDifference(found?.isEmpty, false, "\(path)")
      if let reason { expectNoDifference(found, reason, "\(path)") }
    }
  }

  @Test("Redirects are followed")
  func redirectsAreFollowed() async throws {
    let server = try RawServer { path, _, connection in
      let body = Feeds.rss("a")
      if path == "/old" {
        connection.answer("301 Moved", "Location: /new", "Content-Length: 0")
      } else {
        connection.answer("200 OK", "Content-Length: \(body.count)")
        connection.write(body)
      }
    }
    let client = FeedClient(URL(string: "http://127.0.0.1:\(server.port)/old")!)
    try await expect(client, ["a"])
  }

  @Test(
    "A cancelled task closes the connection to a server that never finishes",
    arguments: ["never", "head", "body"]
  )
  func cancelledTaskLeavesTheServer(how: String) async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { _, _, connection in
      arrived.yield()
      switch how {
      case "head":
        connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n")
        while connection.write("X: y\r\n") { usleep(1_000) }
      case "body":
        connection.answer("200 OK", "Content-Length: 100000")
        while connection.write(" ") { usleep(1_000) }
      default: connection.waitUntilClosed()
      }
      ended.yield()
    }
    let client = FeedClient(URL(string: "http://127.0.0.1:\(server.port)/")!)
    let task = Task { try await client.refresh() }
    for await _ in arrivals { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The connection is closed, too.
    for await _ in ends { break }
  }
}
