import Foundation

/// The socket of a service manager, as systemd has one.
final class ServiceManager: Sendable {
  /// The variables of a process that notifies the manager.
  let environment: [String: String]
  private let messages: AsyncStream<String>

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let path = folder.appending(path: "notify").path()
    environment = ["NOTIFY_SOCKET": path]
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafeBytes(of: &address) {
      bind(
        descriptor,
        $0.assumingMemoryBound(to: sockaddr.self).baseAddress,
        socklen_t($0.count)
      )
    }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
    let (messages, message) = AsyncStream.makeStream(of: String.self)
    self.messages = messages
    message.onTermination = { _ in
      try? FileManager.default.removeItem(at: folder)
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while case let count = recv(descriptor, &bytes, bytes.count, 0), count > 0 {
        message.yield(String(decoding: bytes.prefix(count), as: UTF8.self))
      }
      close(descriptor)
    }
  }

  /// Waits for a message that has a line with a certain start, and returns all its lines.
  func message(with start: String) async throws -> [String] {
    for await message in messages {
      let lines = message.split(separator: "\n").map(String.init)
      if lines.contains(where: { $0.hasPrefix(start) }) { return lines }
    }
    throw RunningProgram.Missing(text: start)
  }
}
