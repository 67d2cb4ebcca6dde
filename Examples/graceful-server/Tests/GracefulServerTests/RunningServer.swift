import Foundation

@testable import request_load

/// A server as a child process, and requests to it.
struct RunningServer {
  let program: RunningProgram
  let port: UInt16

  /// Starts a server, and waits until it accepts connections.
  init(_ arguments: String..., environment: [String: String] = [:]) async throws {
    program = try RunningProgram(
      "graceful-server",
      ["--port", "0"] + arguments,
      environment: environment
    )
    let text = try await program.line(after: "listening on port ")
    guard let port = UInt16(text) else { throw RunningProgram.Missing(text: "a port: \(text)") }
    self.port = port
  }

  /// Sends a request on a connection that is used only for that.
  func get(_ path: String) async throws -> Response {
    let connection = try connect()
    try connection.send(path)
    return try await connection.response()
  }

  /// Opens a connection that can be used for several requests.
  func connect() throws -> Connection { Connection(socket: try ClientSocket(port: port)) }
}

/// A connection whose responses a thread waits for.
final class Connection: Sendable {
  private let socket: ClientSocket

  init(socket: consuming ClientSocket) {
    self.socket = socket
  }

  func send(_ path: String) throws {
    try socket.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
  }

  func response() async throws -> Response {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try self.socket.response() })
      }
    }
  }
}
