extension LifecycleFeed {
  /// Asks the observers of the bus whether the process may end, on behalf of the source.
  ///
  /// - Parameters:
  ///   - deadline: The instant until which the source waits, for the observers to know; nil without
  ///     a limit. It is measured on the system's clock, also if the bus has another one. The source
  ///     itself stops waiting, by calling the closure.
  ///   - metadata: Text for the observers.
  ///   - completion: Called once, on any thread; before this method returns if there is no
  ///     observer.
  /// - Returns: A closure that completes the request with the answers so far. Has no effect if the
  ///   request is complete.
  @discardableResult
  package func requestExit(
    until deadline: ContinuousClock.Instant?,
    metadata: [String: String] = [:],
    completion: @escaping @Sendable (LifecycleExitOutcome) -> Void
  ) -> @Sendable () -> Void {
    let timeLeft = deadline.map { ContinuousClock.now.duration(to: $0) }
    let request = LifecycleExitRequest(
      origin: origin,
      metadata: metadata,
      deadline: timeLeft.map { core.clock.continuous + $0 }
    )
    return core.requestExit(request, until: nil, completion: completion)
  }
}
