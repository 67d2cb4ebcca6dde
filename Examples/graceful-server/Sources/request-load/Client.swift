/// A client that sends a request after the other, until the server accepts no connection.
struct Client: Sendable {
  let port: UInt16
  let path: String
  /// A Boolean value that indicates whether the client uses a connection for several requests.
  let keepsAlive: Bool
  /// Called with the reason when a request is lost.
  let onLoss: @Sendable (String) -> Void

  /// - Parameter onFirstAnswer: Called when the first response has arrived.
  func run(onFirstAnswer: () -> Void) -> Tally {
    var tally = Tally()
    while tally[.refused] == 0 {
      do throws(ClientSocket.Failure) {
        let socket = try ClientSocket(port: port)
        repeat {
          let response = try exchange(on: socket)
          tally.count(response.status == 200 ? .answered : .failed)
          if response.status == 200, tally[.answered] == 1 { onFirstAnswer() }
          if response.isLast {
            tally.closed += 1
            break
          }
        } while keepsAlive && !socket.hasEnded
      } catch {
        switch error {
        case .refused: tally.count(.refused)
        case .ended(let reason):
          tally.count(.lost)
          onLoss(reason)
        }
      }
    }
    return tally
  }

  private func exchange(on socket: borrowing ClientSocket) throws(ClientSocket.Failure) -> Response
  {
    let connection = keepsAlive ? "keep-alive" : "close"
    try socket.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: \(connection)\r\n\r\n")
    return try socket.response()
  }
}

/// A complete response, as far as the load needs it.
struct Response {
  let status: Int
  let body: String
  /// A Boolean value that indicates whether the connection takes no other request.
  let isLast: Bool

  /// Returns nil if the response is not complete.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
    let lines = text[..<end.lowerBound].split(separator: "\r\n")
    let fields = lines.dropFirst().reduce(into: [String: String]()) { fields, line in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return }
      fields[parts[0].lowercased()] = parts[1].trimmingPrefix(" ").lowercased()
    }
    guard
      let length = fields["content-length"].flatMap(Int.init),
      text[end.upperBound...].utf8.count >= length,
      let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    self.status = status
    body = String(text[end.upperBound...])
    isLast = fields["connection"] == "close"
  }
}
