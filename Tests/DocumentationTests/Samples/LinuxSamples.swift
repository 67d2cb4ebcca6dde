import LifecycleSources
import ReactiveLifecycle
import Synchronization

/// What a server has logged and flushed, in the order in which it did so.
final class ServerSample: Sendable {
  private let lines = Mutex<[String]>([])

  var output: [String] { lines.withLock { $0 } }

  func flush() { log("flushed") }
  func reload() { log("reloaded") }

  /// Ends as SIGTERM would end it, without a signal.
  func end() throws {
    let server = self
    @Sendable func log(_ line: String) { server.log(line) }
    let scope = LifecycleScope("server")
    let bus = NonisolatedLifecycleBus()
    bus.addObserver(for: .willTerminate, in: scope) { event in
      log("ends by \(event.metadata["signal"] ?? "itself")")
      server.flush()
    }
    let connection = try bus.connect(.processSignals(deadline: .seconds(8)))
    bus.send(.willTerminate, metadata: ["signal": "SIGTERM"])
    connection.cancel()
  }

  private func log(_ line: String) { lines.withLock { $0.append(line) } }
}
