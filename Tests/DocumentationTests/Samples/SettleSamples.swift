import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle

/// A connection that is dear to open, and a clock and a bus to try it on.
@MainActor
final class ConnectionSample {
  let clock = ManualClock()
  let bus: LifecycleBus
  private(set) var log: [String] = []
  private let scope = LifecycleScope("connection")

  init() {
    bus = LifecycleBus(clock: clock)
    connect()
  }

  private func connect() {
    bus.phases.settle(for: .seconds(2))
      .map(\.isForeground)
      .removeDuplicates()
      .sink { isForeground in setConnected(isForeground) }
      .store(in: scope)
    func setConnected(_ isConnected: Bool) {
      log.append(isConnected ? "connected" : "disconnected")
    }
  }
}
