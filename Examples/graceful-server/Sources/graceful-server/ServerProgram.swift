import Foundation
import LifecycleServices
import LifecycleSources
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
  /// - Throws: The error of a source or of a socket that cannot be opened.
  func run() async throws {
    let bus = NonisolatedLifecycleBus()
    let scope = LifecycleScope("program")
    bus.log(to: logger, in: scope)
    let signals = try bus.connect(
      .processSignals(onOverrun: { @Sendable [logger] overrun in overrun.log(to: logger) })
    )
    let server = HTTPService(
      address: address,
      plan: plan,
      handler: Routes(phase: { bus.phase }, settings: { settings.current }),
      logger: logger,
      onListening: { report("listening on port \($0)") }
    )
    try await bus.runServices([server], logger: logger, grace: plan.deadline + .seconds(1))
    signals.cancel()
  }
}

/// Writes a line at once, also into a pipe.
private func report(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
