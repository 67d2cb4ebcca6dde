#if Services
  import Foundation
  import TestSupport

  @testable import LifecycleServices

  /// A datagram socket of the test, in the place of the service manager's.
  final class DatagramSocket: Sendable {
    /// The name, as `$NOTIFY_SOCKET` has it.
    let name: String
    private let descriptor: CInt

    /// The variables of a service manager that expects a sign of life every 10 s.
    var watchdogEnvironment: [String: String] {
      ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "10000000"]
    }

    /// The two sorts of names: a path, and an abstract one.
    enum Sort: CaseIterable, Sendable { case path, abstract }

    init(_ sort: Sort) throws {
      let id = "lifecycle-\(UUID().uuidString.prefix(8))"
      switch sort {
      case .path: name = FileManager.default.temporaryDirectory.appending(path: id).path
      case .abstract: name = "@\(id)"
      }
      descriptor = try UnixSocket.bind(.datagram, to: name)
    }

    deinit {
      close(descriptor)
      if name.hasPrefix("/") { unlink(name) }
    }

    /// Fills the queue, so that no message finds room before the next one is taken.
    func fill() throws {
      let address = try NotifyAddress(name)
      let sender = try NotifySocket(address)
      var count = 0
      while count >= 0 {
        count = address.withSocketAddress {
          sendto(sender.descriptor, "full", 4, CInt(MSG_DONTWAIT), $0, $1)
        }
      }
      guard errno == EAGAIN else { throw UnixSocket.lastError() }
    }

    /// The messages that have arrived, each with its fields separated by spaces, without those that
    /// depend on the tasks of the process, which other tests have as well.
    func takeMessages() -> [String] {
      takeAllMessages().filter { !$0.hasPrefix("EXTEND_TIMEOUT_USEC") }
    }

    /// All messages that have arrived.
    func takeAllMessages() -> [String] {
      var messages: [String] = []
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        guard count >= 0 else { return messages }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        messages.append(text.replacing("\n", with: " "))
      }
    }
  }
#endif
