import LifecycleSupport

/// The interval at which the hosts of a coordinator wake the process up.
final class BackgroundFetchWakeUp: Sendable {
  private struct State {
    var interval: BackgroundFetchInterval?
    var hosts: [Int: any BackgroundFetchHost] = [:]
    var lastID = 0
  }

  private let state = Locked(State())

  func add(_ host: any BackgroundFetchHost) -> Int {
    let (id, interval) = state.withLock { state in
      state.lastID += 1
      state.hosts[state.lastID] = host
      return (state.lastID, state.interval)
    }
    if let interval { host.setMinimumInterval(interval.duration) }
    return id
  }

  func remove(_ id: Int) {
    state.discard { $0.hosts.removeValue(forKey: id) }
  }

  func setMinimumInterval(_ interval: BackgroundFetchInterval) {
    let hosts = state.withLock { state in
      state.interval = interval
      return state.hosts.sorted { $0.key < $1.key }.map(\.value)
    }
    for host in hosts { host.setMinimumInterval(interval.duration) }
  }
}
