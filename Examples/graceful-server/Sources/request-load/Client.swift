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
