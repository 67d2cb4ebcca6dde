import Foundation

/// A blocking TCP connection to the server.
struct ClientSocket: ~Copyable {
  enum Failure: Error {
    case refused
    /// The connection ended, by a reset or in the usual way.
    case ended(String)
  }

  private let descriptor: Int32

  /// Connects to a port of this machine.
  init(port: UInt16) throws(Failure) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafeBytes(of: &address) {
      connect(
        descriptor,
        $0.assumingMemoryBound(to: sockaddr.self).baseAddress,
        socklen_t($0.count)
      )
    }
    guard result == 0 else { throw .refused }
  }

  deinit { close(descriptor) }

  /// A Boolean value that indicates whether the server has ended the connection.
  var hasEnded: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count == 0 || (count < 0 && errno != EAGAIN)
  }

  func send(_ text: String) throws(Failure) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw .ended("send: \(String(cString: strerror(errno)))") }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Reads a response whose length is in its head.
  func response() throws(Failure) -> Response {
    var received: [UInt8] = []
    while true {
      if let response = Response(received) { return response }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else {
        let reason = count == 0 ? "end of data" : String(cString: strerror(errno))
        throw .ended("\(reason) after \(received.count) bytes of the response")
      }
      received += chunk.prefix(count)
    }
  }
}
