import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

@Suite("Hostile servers of feeds")
struct FeedServerAttackTests {
  private let body = "<rss><channel><item><title>One</title></item></channel></rss>"

  /// Runs the program on a thread of its own, because the server needs those of the test, too.
  private func run(_ server: RawServer) async throws -> (status: JobStatus, text: String) {
    let address = "http://127.0.0.1:\(server.port)/"
    let program = try builtProgramPath("feed-refresher")
    let (status, text) = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try runProgram(program, ["--feed", address]) })
      }
    }
    return (status, text.replacing(/\ \([0-9.]+ s\)/, with: ""))
  }

  /// From 2⁶³ − 512 to 2⁶³ − 1 the process ends in FoundationNetworking: see `FeedClient`.
  @Test(
    "A wrong Content-Length ends the fetch, not the process",
    arguments: [
      ("10000000", false), ("9223372036854775295", false), ("-1", false), ("x", false),
      ("9223372036854775808", true), ("18446744073709551615", true),
      ("99999999999999999999999", true),
    ]
  )
  func wrongLengthEndsTheFetch(number: String, isIgnored: Bool) async throws {
    let server = try RawServer { [body] _, _, connection in
      connection.answer("200 OK", "Content-Length: \(number)", body: body)
    }
    let (status, text) = try await run(server)
    // libcurl ignores a length that no Int64 holds: the end of the connection is that of the feed.
    expectNoDifference(status, .exited(isIgnored ? 0 : 69), "\(text)")
    #expect(text.hasPrefix(isIgnored ? "1. 1 new entry" : "1. failed: "), "\(text)")
  }
}
