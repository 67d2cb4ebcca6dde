import LifecycleSources
import ReactiveLifecycle
import TestSupport

/// What a server has logged and flushed, in the order in which it did so.
final class ServerSample: Sendable {
  private let lines = Trace()

  var output: [String] { lines.take() }

  func flush() { lines("flushed") }

  /// Ends as SIGTERM would end it, without a signal.
  func end() throws {
    let server = self
    let scope = LifecycleScope("server")
    @Sendable func log(_ line: String) { lines(line) }
    let bus = NonisolatedLifecycleBus()
    bus.addObserver(for: .willTerminate, in: scope) { event in
      log("ends by \(event.metadata["signal"] ?? "itself")")
      server.flush()
    }
    let connection = try bus.connect(.processSignals(deadline: .seconds(8)))
    bus.send(.willTerminate, metadata: ["signal": "SIGTERM"])
    connection.cancel()
  }
}
