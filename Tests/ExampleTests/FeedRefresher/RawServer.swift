import FlyingSocks
import Foundation

/// A server that does with each connection what it likes: what no server of HTTP would.
///
/// It has threads of its own, which may be blocked. It ends with its release.
final class RawServer: Sendable {
  let port: UInt16

  private let listener: Socket

  /// - Parameter serve: Called for each connection, on a thread of its own, with the path that was
  ///   asked for and the request; the connection is closed when it has returned.
  init(_ serve: @escaping @Sendable (_ path: String, _ request: String, Connection) -> Void) throws
  {
    let listener = try Socket(domain: AF_INET, type: .stream)
    try listener.bind(to: .inet(ip4: "127.0.0.1", port: 0))
    try listener.listen()
    guard case .ip4(_, let port) = try listener.sockname() else {
      throw SocketError.unsupportedAddress
    }
    self.listener = listener
    self.port = port
    let thread = Thread {
      while let (file, _) = try? listener.accept() {
        let connection = Connection(Socket(file: file))
        // The threads of Dispatch are few, and whoever awaits an answer needs them.
        Thread.detachNewThread {
          defer { connection.close() }
          guard let request = connection.readRequest() else { return }
          let path = request.split(separator: " ").dropFirst().first.map { String($0) } ?? ""
          serve(path, request, connection)
        }
      }
    }
    thread.start()
  }

  deinit {
    shutdown(listener.file.rawValue, CInt(SHUT_RDWR))
    try? listener.close()
  }

  struct Connection: Sendable {
    private let socket: Socket

    init(_ socket: Socket) {
      self.socket = socket
    }

    func readRequest() -> String? {
      var bytes: [UInt8] = []
      while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        guard let byte = try? socket.read() else { return nil }
        bytes.append(byte)
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the other side still listens.
    @discardableResult
    func write(_ data: Data) -> Bool {
      var index = data.startIndex
      while index < data.endIndex {
        guard let next = try? socket.write(data, from: index), next > index else { return false }
        index = next
      }
      return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Data(text.utf8)) }

    /// Writes an answer that says that the connection closes: on one of which it does not know, a
    /// client may send its next request, and lose it.
    @discardableResult
    func answer(_ status: String, _ headers: String..., body: String = "") -> Bool {
      let lines = ["HTTP/1.1 \(status)", "Connection: close"] + headers + ["", body]
      return write(lines.joined(separator: "\r\n"))
    }

    /// Waits until the other side has closed the connection.
    func waitUntilClosed() {
      while (try? socket.read()) != nil {}
    }

    func close() {
      try? socket.close()
    }
  }
}
