import Foundation
import Testing

@testable import request_load

@Suite("SIGTERM: what the server has accepted is answered", .serialized)
struct DrainTests {
  /// `SHUTDOWNS=100 swift test` runs the first test 100 times.
  private static let shutdowns =
    ProcessInfo.processInfo.environment["SHUTDOWNS"].flatMap(Int.init) ?? 6

  @Test("A load from another process loses no accepted request", arguments: 1...shutdowns)
  func losesNothing(run: Int) async throws {
    let spinning = try run.isMultiple(of: 2) ? Spinning() : nil
    let server = try await RunningServer("--allowed-silence", "60", "--deadline", "120")
    let load = try RunningProgram("request-load", ["--port", "\(server.port)"])
    _ = try await load.line(after: "started")
    server.program.send(SIGTERM)
    let report = try await load.line(after: "answered")
    #expect(report.contains("failed 0, refused 8, lost 0"), "\(report)")
    #expect(await load.end() == .status(0))
    #expect(await server.program.end() == .signal(SIGTERM))
    withExtendedLifetime(spinning) {}
  }

  @Test("Connections that only the kernel has accepted are answered")
  func queuedConnections() async throws {
    let server = try await RunningServer()
    server.program.send(SIGSTOP)
    let connections = try (0..<50).map { _ in try server.connect() }
    for connection in connections { try connection.send("/") }
    server.program.send(SIGTERM)
    server.program.send(SIGCONT)
    for connection in connections { #expect(try await connection.response().status == 200) }
    #expect(await server.program.end() == .signal(SIGTERM))
  }

  @Test("A request in progress is answered, and ends its connection")
  func requestInProgress() async throws {
    let server = try await RunningServer()
    let connection = try server.connect()
    try connection.send("/?milliseconds=500")
    _ = try await server.get("/health")
    server.program.send(SIGTERM)
    let response = try await connection.response()
    #expect(response.status == 200)
    #expect(response.isLast)
    #expect(await server.program.end() == .signal(SIGTERM))
  }

  @Test("A request on a connection that was idle is answered, and ends the connection")
  func idleConnection() async throws {
    let server = try await RunningServer("--drain-delay", "60", "--deadline", "120")
    let connection = try server.connect()
    try connection.send("/")
    #expect(try await connection.response().isLast == false)
    server.program.send(SIGTERM)
    try await server.isNotReady()
    try connection.send("/")
    #expect(try await connection.response().isLast)
  }

  @Test("A silent connection does not hold up the end")
  func silentConnection() async throws {
    let server = try await RunningServer("--allowed-silence", "0.2", "--deadline", "1000")
    let connection = try server.connect()
    try connection.send("/")
    _ = try await connection.response()
    let start = ContinuousClock.now
    server.program.send(SIGTERM)
    #expect(await server.program.end() == .signal(SIGTERM))
    #expect(ContinuousClock.now - start < .seconds(1_000))
  }

  @Test("A request that takes longer than the deadline is cancelled, and answered with 503")
  func deadline() async throws {
    let server = try await RunningServer("--deadline", "1")
    let connection = try server.connect()
    try connection.send("/?milliseconds=100000")
    _ = try await server.get("/health")
    server.program.send(SIGTERM)
    let response = try await connection.response()
    #expect(response.status == 503)
    #expect(response.isLast)
    #expect(await server.program.end() == .signal(SIGTERM))
  }

  @Test("Ctrl-C ends the server by SIGINT")
  func interrupt() async throws {
    let server = try await RunningServer()
    server.program.send(SIGINT)
    #expect(await server.program.end() == .signal(SIGINT))
  }
}

/// As many processes that spin as there are cores.
private final class Spinning: Sendable {
  private let programs: [RunningProgram]

  init() throws {
    programs = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
      try RunningProgram("/bin/sh", ["-c", "while :; do :; done"])
    }
  }
}
