import LifecycleSources
import ReactiveLifecycle

@MainActor
func processSignalsSample() throws -> LifecyclePhase {
  let bus = LifecycleBus()
  let connection = try bus.connect(.processSignals())
  defer { connection.cancel() }
  return bus.phase
}

func observedProcessSignalsSample() throws -> LifecyclePhase {
  let bus = NonisolatedLifecycleBus()
  let connection = try bus.connect(.processSignals(deadline: .seconds(2), termination: .observe))
  defer { connection.cancel() }
  return bus.phase
}
