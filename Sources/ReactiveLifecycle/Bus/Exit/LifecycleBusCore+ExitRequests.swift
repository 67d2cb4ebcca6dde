import LifecycleSupport

/// Registration of observers of exit requests, and the requests.
extension LifecycleBusCore {
  func onExitRequest(
    _ site: CallSite,
    _ body: @escaping ExitQuestion.Body
  ) -> LifecycleSubscription {
    let row = ExitRequestRow(core: self, site: site, body: body)
    add(row, catchUp: .nothing)
    return LifecycleSubscription(row, cancelsOnRelease: true)
  }

  func onExitRequest(
    in scope: ScopeCore,
    id: (any Hashable & Sendable)?,
    _ site: CallSite,
    _ body: @escaping ExitQuestion.Body
  ) -> LifecycleSubscription {
    let row = ExitRequestRow(
      core: self,
      site: site,
      identity: id.map { ObserverIdentity($0, holder: scope) },
      body: body
    )
    return add(row, in: scope, catchUp: .nothing, site)
  }

  /// - Parameter body: Holds the owner weakly.
  func onExitRequest(
    _ owner: AnyObject,
    id: (any Hashable & Sendable)?,
    _ site: CallSite,
    _ body: @escaping ExitQuestion.Body
  ) -> LifecycleSubscription {
    let row = OwnerExitRequestRow(
      core: self,
      site: site,
      identity: id.map { ObserverIdentity($0, holder: owner) },
      owner: owner,
      body: body
    )
    add(row, catchUp: .nothing)
    return LifecycleSubscription(row, cancelsOnRelease: false)
  }

  /// Asks the observers of the bus and of the buses that it feeds.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the request completes with the answers so far; nil if the
  ///     caller completes it.
  ///   - completion: Called once, on any thread; before this returns if there is no observer.
  /// - Returns: A closure that completes the request with the answers so far.
  @discardableResult
  package func requestExit(
    _ request: LifecycleExitRequest,
    until deadline: ContinuousInstant?,
    completion: @escaping @Sendable (LifecycleExitOutcome) -> Void
  ) -> @Sendable () -> Void {
    let observers = exitObservers
    guard !observers.isEmpty else {
      completion(LifecycleExitOutcome())
      return {}
    }
    let attachment = attachment(ObjectIdentifier(ExitRequests.self)) { _ in
      ExitRequests()
    } start: {
      _ in
    }
    let requests = attachment as! ExitRequests
    let caller = ExitCaller(request, clock: clock, completion: completion)
    requests.add(caller, asking: observers)
    // Weak, because the completion may hold the closure. Until then, the round holds the caller.
    let withdraw = { @Sendable [weak caller] in if let caller { requests.withdraw(caller) } }
    if let deadline { caller.set(for: deadline, withdraw) }
    return withdraw
  }

  /// The observers in the order in which they are asked. As on the way down, the latest come first:
  /// before those of the bus, the observers of the buses that it feeds.
  private var exitObservers: [any ExitObserver] {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var observers: [any ExitObserver] = []
    func collect(_ bus: LifecycleBusCore) {
      for child in BusGraph.shared.busesEnding(with: bus).reversed()
      where seen.insert(ObjectIdentifier(child)).inserted {
        collect(child)
      }
      // They receive no events. The cast takes long, as the runtime looks the row's class up.
      for row in bus.liveRows.reversed() where row.kinds == [] {
        if let observer = row as? any ExitObserver { observers.append(observer) }
      }
    }
    collect(self)
    return observers
  }
}
