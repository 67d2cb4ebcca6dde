public import ReactiveLifecycle

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
  /// - Returns: The connection. Cancelling or releasing it takes the host's handler away, unless it is
  ///   that of a newer connection, which can be told if the host is a class; the fetches under way
  ///   continue. The coordinator does not keep the connection, nor it the coordinator: a request that
  ///   comes after the coordinator's release has failed.
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

  /// Says how often the process wants to be woken up for a fetch: to the hosts that are connected now,
  /// and to those that will be. Any thread.
  ///
  /// - Parameter interval: As long as none is set, the hosts keep theirs, which is never.
  public func setMinimumInterval(_ interval: BackgroundFetchInterval) {
    wakeUp.setMinimumInterval(interval)
  }
}
