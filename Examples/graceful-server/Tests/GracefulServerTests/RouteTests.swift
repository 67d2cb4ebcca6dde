import Foundation
import Testing

@testable import request_load

@Suite("Routes", .serialized)
struct RouteTests {
  @Test("The server is ready from its start, and alive")
  func ready() async throws {
    let server = try await RunningServer()
    #expect(try await server.get("/ready").status == 200)
    #expect(try await server.get("/health").status == 200)
    #expect(try await server.get("/other").status == 404)
  }

  @Test("After SIGTERM the server is not ready, is alive, and responds for the delay")
  func notReady() async throws {
    let server = try await RunningServer("--drain-delay", "60", "--deadline", "120")
    server.program.send(SIGTERM)
    try await server.isNotReady()
    #expect(try await server.get("/health").status == 200)
    #expect(try await server.get("/").body == "Hello\n")
    #expect(await server.program.endBySecondSignal(SIGINT) == .signal(SIGINT))
  }

  @Test("SIGHUP reads the settings again; an invalid file leaves them as they are")
  func reload() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"{"greeting": "One"}"#.utf8).write(to: file)
    let server = try await RunningServer("--settings", file.path())
    #expect(try await server.get("/").body == "One\n")

    try Data(#"{"greeting": "Two"}"#.utf8).write(to: file)
    server.program.send(SIGHUP)
    _ = try await server.program.line(after: "reloaded")
    #expect(try await server.get("/").body == "Two\n")

    try Data(#"{"greeting":"#.utf8).write(to: file)
    server.program.send(SIGHUP)
    _ = try await server.program.line(after: "kept")
    #expect(try await server.get("/").body == "Two\n")
  }
}

extension RunningServer {
  /// Waits until `/ready` responds with 503.
  func isNotReady() async throws {
    while try await get("/ready").status != 503 {}
  }
}
