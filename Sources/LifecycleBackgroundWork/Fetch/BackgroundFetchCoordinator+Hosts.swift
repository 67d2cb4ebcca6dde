public import ReactiveLifecycle

extension BackgroundFetchCoordinator {
  /// Performs the requests of a host as fetches, until the connection is cancelled or released.
  ///
  /// Connect a host before the process has finished launching: the system may have launched it for
  /// a fetch.
  ///
  /// ```swift
  /// fetches.connect(host).store(in: scope)
  /// fetches.setMinimumInterval(.after(.seconds(900)))
  /// ```
  ///
  /// A host has one handler: its previous connection receives no more requests. Can be called on
  /// any thread, but only by one caller at a time for a host.
  ///
  /// - Parameter host: The host, which receives the minimum interval if one has been set.
  /// - Returns: The connection. Cancelling or releasing it removes the host's handler, unless that
  ///   belongs to a newer connection, which can be detected if the host is a class; the fetches
  ///   under way continue. The coordinator does not keep the connection alive, nor the connection
  ///   the coordinator: a request that arrives after the coordinator's release fails.
  public func connect(_ host: some BackgroundFetchHost) -> LifecycleCancellable {
    let id = wakeUp.add(host)
    let claim = BackgroundFetchClaim(on: host)
    host.setFetchHandler { [weak core] request in
      if let core { core.perform(request) } else { request.complete(.failed) }
    }
    return LifecycleCancellable { [wakeUp] in
      wakeUp.remove(id)
      if claim.end() { host.setFetchHandler(nil) }
    }
  }

  /// Sets how often the process wants to be woken up for a fetch, for the hosts that are connected
  /// now and for those that will be. Thread-safe.
  ///
  /// - Parameter interval: The minimum interval. Until one is set, the hosts keep theirs, which is
  ///   never.
  public func setMinimumInterval(_ interval: BackgroundFetchInterval) {
    wakeUp.setMinimumInterval(interval)
  }
}
