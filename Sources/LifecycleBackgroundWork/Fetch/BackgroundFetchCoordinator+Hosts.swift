public import LifecycleCombine
import LifecycleSupport
import ReactiveLifecycle

extension BackgroundFetchCoordinator {
  /// Makes the requests of a host fetches, until the connection is cancelled or released. To be called
  /// before the process has finished launching: the system may have launched it for a fetch.
  ///
  /// ```swift
  /// let connection = fetches.connect(host)
  /// fetches.setMinimumInterval(.after(.seconds(900)))
  /// ```
  ///
  /// A host has one handler: what it was connected to before gets no more requests. Any thread, but one
  /// at a time for a host.
  ///
  /// - Parameter host: It is told the minimum interval, if one has been set.
  /// - Returns: The connection. The coordinator does not keep it, nor it the coordinator: a request that
  ///   comes after the coordinator's release has failed.
  public func connect(_ host: some BackgroundFetchHost) -> BackgroundFetchConnection {
    let id = wakeUp.add(host)
    let claim = BackgroundFetchClaim(on: host)
    host.setFetchHandler { [weak core] request in
      if let core { core.perform(request) } else { request.complete(.failed) }
    }
    return BackgroundFetchConnection { [wakeUp] in
      wakeUp.remove(id)
      if claim.end() { host.setFetchHandler(nil) }
    }
  }

  /// Says how often the process wants to be woken up for a fetch: to the hosts that are connected now,
  /// and to those that will be. Any thread.
  ///
  /// - Parameter interval: As long as none is set, the hosts keep theirs, which is never.
  public func setMinimumInterval(_ interval: BackgroundFetchInterval) {
    wakeUp.setMinimumInterval(interval)
  }
}

/// A coordinator's connection to a host. It ends once: when it is cancelled, or released.
public final class BackgroundFetchConnection: Cancellable, Sendable {
  private let onCancel: Locked<(@Sendable () -> Void)?>

  init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Locked(onCancel)
  }

  deinit {
    cancel()
  }

  /// Takes the host's handler away, unless it is that of a newer connection, which can be told if the
  /// host is a class. The fetches under way go on. Any thread; the second call does nothing.
  public func cancel() {
    let onCancel = onCancel.withLock { $0.take() }
    onCancel?()
  }
}

extension BackgroundFetchConnection: ScopeMember {
  package func scopeDidEnd() { cancel() }

  package var hasEnded: Bool { onCancel.withLock { $0 == nil } }
}

/// How often the hosts of a coordinator are to wake the process up.
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
    let unwanted = state.withLock { $0.hosts.removeValue(forKey: id) }
    withExtendedLifetime(unwanted) {}
  }

  func setMinimumInterval(_ interval: BackgroundFetchInterval) {
    let hosts = state.withLock { state in
      state.interval = interval
      return state.hosts.sorted { $0.key < $1.key }.map(\.value)
    }
    for host in hosts { host.setMinimumInterval(interval.duration) }
  }
}
