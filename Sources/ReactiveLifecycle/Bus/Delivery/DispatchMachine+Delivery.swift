import DequeModule

/// The right to deliver, and the steps of a delivery.
extension DispatchMachine {
  /// Returns whether the caller must schedule a hop to where the bus delivers, and records that
  /// hop.
  mutating func needsHop() -> Bool {
    guard !isDelivering, !isHopScheduled, isWaiting else { return false }
    isHopScheduled = true
    return true
  }

  mutating func hopArrived() {
    isHopScheduled = false
  }

  /// Takes the right to deliver, unless a thread has it already or nothing is waiting.
  mutating func startDelivering() -> Bool {
    guard !isDelivering, isWaiting else { return false }
    isDelivering = true
    return true
  }

  /// Gives up the right to deliver if no work is left.
  mutating func stopDelivering() -> Bool {
    guard !isWaiting, pendingRelease.isEmpty, !mustFinish else { return false }
    isDelivering = false
    return true
  }

  /// Ends the step in delivery and begins the next. The caller releases the step after it has given
  /// back the lock, so that nothing is released under the lock.
  mutating func advance() -> Next {
    guard pendingRelease.isEmpty else {
      defer { pendingRelease = [] }
      return .clear(pendingRelease)
    }
    return .step(nextStep())
  }

  private mutating func nextStep() -> Step? {
    if let rowTask = rowTasks.popFirst() { return step(rowTask) }
    if mustFinish { return .finish(finish(), endings.removeAll()) }
    switch work.popFirst() {
    case .event(let event):
      return .deliver(
        event,
        to: recordDelivery(event.kind, event.phase, event.sequenceNumber, event.instant)
      )
    case .suppressed(let input): return .publish(input, to: suppressionObservers.rows)
    case .call(let body, let row): return .call(body, inTurnOf: row)
    case .release:
      return .finish(finish() + suppressionObservers.removeAll(), endings.removeAll())
    case nil:
      isDelivering = false
      return nil
    }
  }

  var isWaiting: Bool { !(work.isEmpty && rowTasks.isEmpty) }

  private var mustFinish: Bool { delivered.phase == .terminated && !isFinished }

  private func step(_ rowTask: RowTask) -> Step {
    switch rowTask {
    case .start(let row, let catchUp): .start(row, after: delivered, catchUp)
    case .flush(let row): .flush(row)
    case .finish(let rows): .finish(ContiguousArray(rows), [])
    case .clear(let row): .clear(row)
    case .check(let sample): .check(sample)
    }
  }

  /// Records an event that is about to be delivered, and returns its recipients.
  mutating func recordDelivery(
    _ kind: LifecycleEvent.Kind,
    _ phase: LifecyclePhase,
    _ sequenceNumber: Int,
    _ instant: LifecycleInstant
  ) -> Recipients {
    if launch == nil, phase != .unknown { launch = instant.continuous }
    delivered = DeliveredState(phase: phase, sequenceNumber: sequenceNumber, instant: instant)
    return Recipients(rows: observers.rows, endings: endings.endings(at: kind))
  }

  /// Records that the streams have ended, and returns the observers to notify of it.
  private mutating func finish() -> ContiguousArray<ObserverRow> {
    isFinished = true
    // Not by `updateSpecialWays`: its call would cost each step of a delivery a register.
    joinsSpecially = true
    owners.removeAll()
    return observers.removeAll()
  }
}
