import CustomDump
import Foundation
import JobControl
import ProgramReporting
import TestSupport
import Testing

@testable import FeedRefresher

@Suite("Hostile servers of feeds")
struct FeedServerAttackTests {
  private let body = "<rss><channel><item><title>One</title></item></channel></rss>"

  /// Runs the program on a thread of its own, because the server needs those of the test, too.
  private func run(
    _ server: RawServer,
    _ options: String...
  ) async throws -> (status: JobStatus, text: String) {
    let address = "http://127.0.0.1:\(server.port)/"
    let program = try builtProgramPath("feed-refresher")
    let (status, text) = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try runProgram(program, ["--feed", address] + options) }
        )
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

  @Test(
    "A large malformed document is refused within 150 MB of memory",
    .serialized,
    arguments: [("<a>", 9_000_000), ("&", 2_000_000), ("&x;", 3_000_000)]
  )
  func largeMalformedDocumentTakesLittleMemory(piece: String, size: Int) async throws {
    let server = try RawServer { _, _, connection in
      let feed = "<rss>" + String(repeating: piece, count: size / piece.utf8.count)
      connection.answer("200 OK", body: feed)
    }
    try await withCountdownSession { session in
      let address = "http://127.0.0.1:\(server.port)/"
      let program = try builtProgramPath("feed-refresher")
      let job = try session.launch(
        JobRequest([program, "--feed", address, "--format", "json", "--interval", "1000"])
      )
      let line = try job.nextLine("a fetch") { $0.contains(#""fetch""#) }
      #expect(line.contains("malformed feed"))
      let peak = try peakKilobytes(job.processID)
      try session.signal(SIGKILL, job)
      _ = try job.waitUntilEnd()
      #expect(peak < 150_000, "\(peak) kB")
    }
  }

  private func peakKilobytes(_ process: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
    return try #require(Int(line.filter(\.isNumber)))
  }

  @Test(
    "What a server sends is escaped and bounded where it is printed",
    arguments: ["text", "json"]
  )
  func whatServerSendsIsEscapedAndBounded(format: String) async throws {
    let odd = ["\u{1B}[31m", "\u{9B}31m", "\r", "\u{202E}", "\u{2028}"].joined()
    let feeds = [
      // An entry without a title is known by what XML leaves as it is.
      "<rdf:RDF xmlns:rdf='r'><item rdf:about='\u{9B}31m&#13;2. nothing new\u{202E}'/></rdf:RDF>",
      "<feed><entry><link href='&#x9b;31m&#13;&#x2028;'/></entry></feed>",
      "<rss><channel><item><guid>\u{9B}31m\u{85}\u{2029}</guid></item></channel></rss>",
      "<rss><channel><item><title>\(String(repeating: "x", count: 2_000_000))</title></item>"
        + "</channel></rss>",
      "<\(String(repeating: "é", count: 20_000))/>",
    ]
    for feed in feeds {
      let server = try RawServer { _, _, connection in
        connection.answer("200 \(odd)", "ETag: \(odd)", body: feed)
      }
      let (_, text) = try await run(server, "--format", format)
      #expect(!text.isEmpty)
      #expect(text.utf8.count < 1_000)
      let printed = text.unicodeScalars.filter {
        $0 != "\n"
          && [.control, .format, .lineSeparator, .paragraphSeparator].contains(
            $0.properties.generalCategory
          )
      }
      #expect(printed.isEmpty, "\(text)")
    }
  }
}
