import LifecycleSupport

// Registration and removal of rows.

extension LifecycleBusCore {
  /// Registers a row, and cancels a live row with an equal identity in the same step.
  func add(_ row: ObserverRow, catchUp: LifecycleCatchUp) {
    let registration = register(row, catchUp: catchUp)
    for replaced in registration.replaced { finishRemoval(of: replaced) }
    if registration.outcome != .added { finish(registration.outcome, of: row) }
    if catchUp != .nothing { update { _ in } }
    check(registration.sample)
  }

  // Not inlined, here and below: what happens seldom would use registers of the usual way.
  @inline(never)
  private func finish(_ outcome: DispatchMachine.Registration.Outcome, of row: ObserverRow) {
    guard outcome != .rejected else { return row.cancel() }
    noteJoining(of: row)
    update { _ in }
  }

  private func register(
    _ row: ObserverRow,
    catchUp: LifecycleCatchUp
  ) -> DispatchMachine.Registration {
    guard let identity = row.identity else {
      return machine.withLock { $0.add(row, catchUp: catchUp) }
    }
    while true {
      let candidates = machine.withLock { $0.candidates(for: identity.key) }
      let same = candidates.filter { $0.identity?.isSame(as: identity) == true }
      let registration = machine.withLock {
        $0.add(row, catchUp: catchUp, replacing: same, among: candidates)
      }
      if let registration { return registration }
    }
  }

  /// Registers a listener or a subscriber. It starts before this method returns if it may be called
  /// here and now.
  ///
  /// - Parameter attach: Called after the row is registered, before it starts.
  package func listen(
    _ row: ObserverRow,
    catchUp: LifecycleCatchUp = .nothing,
    attach: () -> Void = {}
  ) {
    let subscription = machine.withLock { $0.addSubscriber(row, catchUp: catchUp) }
    attach()
    if subscription.isWaiting {
      if subscription.joinsSpecially { noteJoining(of: row) }
      update { _ in }
    }
    check(subscription.sample)
  }

  /// Removes those observers whose owner is gone.
  func check(_ sample: OwnerTable.Sample) {
    guard let first = sample.first else { return }
    guard context.isHere else { return update { $0.addCheck(sample) } }
    first.leaveIfOrphaned()
    sample.second?.leaveIfOrphaned()
  }

  func scheduleFlush(of row: ObserverRow) {
    update { $0.addFlush(row) }
  }

  /// Calls `body` in the turn of a row: after everything accepted so far has been delivered, if the
  /// row is live then.
  package func perform(inTurnOf row: ObserverRow, _ body: @escaping @Sendable () -> Void) {
    update { $0.addCall(body, inTurnOf: row) }
  }

  func cancel(_ row: ObserverRow) {
    if row.endLife() { finishRemoval(of: row) }
  }

  /// Finishes the removal of a row that has just become silent.
  private func finishRemoval(of row: ObserverRow) {
    let isHere = context.isHere
    let removal = machine.withLock { $0.remove(row, clearingHere: isHere) }
    if removal.step == .clear {
      row.clear()
    } else if removal.step != .nothing {
      finish(removal.step, of: row)
    }
    row.membership?.withdraw()
  }

  @inline(never)
  private func finish(_ step: DispatchMachine.Removal.Step, of row: ObserverRow) {
    switch step {
    case .nothing: break
    case .clear: row.clear()
    case .hop: hop()
    case .deliver: update { _ in }
    case .repeatWithInstant:
      let now = clock.now
      let isHere = context.isHere
      let removal = machine.withLock { $0.removeObserved(row, clearingHere: isHere, at: now) }
      finish(removal.step, of: row)
      withExtendedLifetime(removal) {}
    }
  }
}
