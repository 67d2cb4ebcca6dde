import ArgumentParser
import LifecycleSources
import ReactiveLifecycle

/// Connects and disconnects the process's signals, and prints what the process holds before and
/// after.
struct Reconnect: ParsableCommand {
  @Option var times = 1_000

  func run() throws {
    let bus = NonisolatedLifecycleBus()
    // What the system's libraries keep from their first use on is not growth.
    try reconnect(bus, times: 20)
    emit(currentResources())
    try reconnect(bus, times: times)
    emit(currentResources())
  }

  private func reconnect(_ bus: NonisolatedLifecycleBus, times: Int) throws {
    for _ in 0..<times {
      try bus.connect(.processSignals()).cancel()
    }
  }
}
