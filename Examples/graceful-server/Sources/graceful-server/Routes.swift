import FlyingFox
import Foundation
import ReactiveLifecycle

/// The responses of the server.
///
/// | path | response |
/// | --- | --- |
/// | `/` | the greeting; after `?milliseconds=50`, if the request has that |
/// | `/ready` | 200 while the process takes requests, then 503 |
/// | `/health` | 200 while the process is alive |
struct Routes: HTTPHandler {
  let phase: @Sendable () -> LifecyclePhase
  let settings: @Sendable () -> Settings

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    var response: HTTPResponse
    do {
      response = try await respond(to: request)
    } catch is CancellationError {
      response = text("stopping\n", .serviceUnavailable)
    }
    // The client sends no other request on this connection.
    if !isReady { response.headers[.connection] = "close" }
    return response
  }

  /// A job that a shell runs in the background takes requests, too.
  private var isReady: Bool { phase() >= .background }

  private func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    switch request.path {
    case "/":
      let delay = request.query["milliseconds"].flatMap(Int.init) ?? 0
      try await Task.sleep(for: .milliseconds(delay))
      return text("\(settings().greeting)\n")
    case "/ready": return isReady ? text("ready\n") : text("stopping\n", .serviceUnavailable)
    case "/health": return text("alive\n")
    default: return HTTPResponse(statusCode: .notFound)
    }
  }

  private func text(_ text: String, _ status: HTTPStatusCode = .ok) -> HTTPResponse {
    HTTPResponse(
      statusCode: status,
      headers: [.contentType: "text/plain; charset=utf-8"],
      body: Data(text.utf8)
    )
  }
}
