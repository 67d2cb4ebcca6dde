import Foundation
import LifecycleBackgroundWork
import LifecycleSources
import Logging
import ReactiveLifecycle
import ServiceLifecycle

/// The server as a service, on a bus that receives the signals of the process.
struct ServerProgram {
  let settings: SettingsFile
  let address: sockaddr_in
  let plan: DrainPlan
  let logger: Logger

  func run() async throws {
    let bus = NonisolatedLifecycleBus()
    let service = HTTPService(
      address: address,
      plan: plan,
      handler: Routes(phase: { bus.phase }, settings: { settings.current }),
      logger: logger,
      onListening: { report("listening on port \($0)") }
    )
    let group = ServiceGroup(services: [service], logger: logger)
    let scope = LifecycleScope("program")
    bus.addObserver(for: .willTerminate, in: scope) { _ in
      Task { await group.triggerGracefulShutdown() }
    }
    let connection = try bus.connect(.processSignals())
    let tasks = BackgroundTaskCoordinator(host: .process(grace: plan.deadline + .seconds(1)))
    try await withBackgroundTask(named: "requests", tasks: tasks) { try await group.run() }
    _ = connection
  }
}

/// Writes a line at once, also into a pipe.
private func report(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
