import FlyingFox
import FlyingSocks
import Foundation
import LifecycleSupport
import ReactiveLifecycle

/// A server of HTTP with a feed that the test changes, which answers conditional requests.
final class FeedServer: Sendable {
  private struct State {
    var body = Feeds.rss("a", "b")
    var version = 1
    var statuses: [Int] = []
    var requests = 0
  }

  /// The server's own limits, 5 and 15 s, count the time that it waits for a thread.
  private static let hangGuard: TimeInterval = 300

  let url: URL
  private let state = Locked(State())
  private let server: HTTPServer
  private let run: Task<Void, any Error>

  init() async throws {
    let server = try HTTPServer(
      address: .inet(ip4: "127.0.0.1", port: 0),
      timeout: Self.hangGuard,
      logger: .disabled
    )
    self.server = server
    run = Task { try await server.run() }
    try await server.waitUntilListening(timeout: Self.hangGuard)
    switch await server.listeningAddress {
    case .ip4(_, let port): url = URL(string: "http://127.0.0.1:\(port)/feed")!
    default: throw SocketError.unsupportedAddress
    }
    await server.appendRoute("GET /feed") { [weak self] in
      self?.answer($0) ?? HTTPResponse(statusCode: .gone)
    }
  }

  deinit {
    run.cancel()
  }

  /// The status of each answer so far.
  var statuses: [Int] { state.withLock { $0.statuses } }

  func publish(_ body: Data) {
    state.withLock {
      $0.body = body
      $0.version += 1
    }
  }

  private func answer(_ request: HTTPRequest) -> HTTPResponse {
    state.withLock { state in
      let validators: HTTPHeaders = [
        .eTag: "\"\(state.version)\"",
        .lastModified: "Wed, 21 Oct 2015 07:28:0\(state.version % 10) GMT",
      ]
      let isSame =
        request.headers[.ifNoneMatch] == validators[.eTag]
        && request.headers[.ifModifiedSince] == validators[.lastModified]
      state.statuses.append(isSame ? 304 : 200)
      return isSame
        ? HTTPResponse(statusCode: .notModified, headers: validators)
        : HTTPResponse(statusCode: .ok, headers: validators, body: state.body)
    }
  }
}
