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
    let id = state.withLock { state in
      state.lastID += 1
      state.hosts[state.lastID] = host
      return state.lastID
    }
    passInterval(to: host)
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
    for host in hosts { passInterval(to: host) }
  }

  /// Passes the interval to a host that has received another coordinator's.
  func restoreInterval(of host: any BackgroundFetchHost) {
    if state.withLock({ $0.interval }) == nil { host.setMinimumInterval(nil) }
    passInterval(to: host)
  }

  /// Passes the interval to a host, again if it was set to another one in the meantime: the host
  /// may have received that one first.
  private func passInterval(to host: any BackgroundFetchHost) {
    var passed: BackgroundFetchInterval?
    while let interval = state.withLock({ $0.interval }), interval != passed {
      host.setMinimumInterval(interval.duration)
      passed = interval
    }
  }
}
