import Foundation
import LifecycleProcess
import LifecycleServices
import Logging
import ReactiveLifecycle

/// The server as a service, on a bus that receives the signals of the process.
struct ServerProgram {
  let settings: SettingsFile
  let address: sockaddr_in
  let plan: DrainPlan
  let logger: Logger

  /// Serves until a signal ends the process.
  ///
  /// - Throws: The error of a source, or of the server's socket.
  func run() async throws {
    let logger = logger
    let bus = NonisolatedLifecycleBus()
    let scope = LifecycleScope("program")
    bus.log(to: logger, in: scope)
    // To the backend that `MetricsSystem` was bootstrapped with: here, none.
    let metrics = LifecycleMetrics()
    bus.export(to: metrics, in: scope)
    // The manager waits for the end of a reload, also of one that fails: the status says which.
    let manager = bus.notifySystemd(readyWhen: nil) { logger.warning("\($0)") }
    bus.addObserver(for: .reloadRequest, in: scope) { _ in manager.setStatus(reload()) }
    let server = HTTPService(
      address: address,
      plan: plan,
      handler: Routes(phase: { bus.phase }, settings: { settings.current }),
      logger: logger,
      onListening: { port in
        report("listening on port \(port)")
        manager.setStatus("Listening on port \(port)")
        manager.ready()
      }
    )
    let signals = try bus.connect(
      .processSignals(
        taking: [.terminate, .interrupt],
        reload: .hangUp,
        onOverrun: {
          $0.log(to: logger)
          $0.export(to: metrics)
        }
      )
    )
    try await bus.runServices([server], logger: logger, grace: plan.deadline + .seconds(1))
    signals.cancel()
    scope.end()
  }

  /// Returns the status after the reload.
  private func reload() -> String {
    do throws(SettingsFile.Failure) {
      try settings.reload()
      report("reloaded the settings")
      return "Reloaded the settings"
    } catch {
      logger.error("The settings remain as they are: \(error)")
      report("kept the settings")
      return "Kept the settings: \(error)"
    }
  }
}

/// Writes a line at once, also into a pipe.
private func report(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
