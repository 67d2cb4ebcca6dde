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
  /// Add the handlers first: a request before the first handler is added is answered with `noData`,
  /// which is reported at the caller's line.
  ///
  /// A host has one handler: its newest connection receives the requests. A coordinator that takes
  /// over the host of another one is reported at the caller's line; when its connection ends, the
  /// earlier one receives the requests again. This requires that the host is a class.
  ///
  /// Can be called on any thread, but only by one caller at a time for a host.
  ///
  /// - Parameters:
  ///   - host: The host, which receives the minimum interval if one has been set.
  ///   - fileID: The file ID of the call site.
  ///   - filePath: The path of the call site's file.
  ///   - line: The line of the call site.
  ///   - column: The column of the call site.
  /// - Returns: The connection. Cancelling or releasing it ends it; the fetches under way continue.
  ///   The coordinator does not keep the connection alive, nor the connection the coordinator: a
  ///   request that arrives after the coordinator's release fails, unless there is an earlier
  ///   connection of another coordinator.
  public func connect(
    _ host: some BackgroundFetchHost,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecycleCancellable {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let id = wakeUp.add(host)
    let claim = BackgroundFetchClaim(of: core, wakeUp, connectedAt: site)
    claim.begin(on: host)
    return LifecycleCancellable { [wakeUp] in
      wakeUp.remove(id)
      claim.end(on: host)
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
