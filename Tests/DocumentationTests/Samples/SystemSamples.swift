import LifecycleSources
import LifecycleSystem
import ReactiveLifecycle

/// A cache that a memory warning empties.
final class CacheSample {
  private(set) var entries = ["a": 1]

  func removeAll() { entries = [:] }
}

@MainActor
struct SystemSamples {
  let bus = LifecycleBus()
  let scope = LifecycleScope("system")
  let cache = CacheSample()

  func reasonOfUnavailability() {
    if case .unavailable(let reason) = MemoryPressureSource.memoryPressure().availability {
      print("no memory warnings: \(reason)")
    }
  }

  func observeClock() throws {
    let connection = try bus.connect(.systemClock())
    bus.addObserver(for: [.systemDidWake], in: scope) { event in
      print("slept for \(event.timeAsleep ?? .zero)")
    }
    connection.store(in: scope)
  }

  func observePauses() throws {
    let connection = try bus.connect(.processPauses(heartbeat: .seconds(1)))
    bus.addObserver(for: [.processWasPaused], in: scope) { event in
      print("paused for \(event.timePaused ?? .zero): \(event.pauseCause ?? .unknown)")
    }
    connection.store(in: scope)
  }

  func connectPauses() throws -> LifecycleCancellable {
    let connection = try bus.connect(.processPauses())
    return connection
  }

  func observeMemory() throws {
    let connection = try bus.connect(.memoryPressure())
    bus.addObserver(for: [.didReceiveMemoryWarning], in: scope) { event in
      if event.memoryPressure ?? .critical >= .medium { cache.removeAll() }
    }
    connection.store(in: scope)
  }
}

@MainActor
func connectSystemSample(_ scope: LifecycleScope) throws {
  let bus = LifecycleBus()
  try bus.connect(.processSignals()).store(in: scope)
  print(try bus.connectSystem(in: scope))
}
