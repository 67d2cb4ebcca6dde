/// A subscriber of the stream of settled phases.
///
/// While a way down is pending, the row has a timer on the bus's clock. When the timer fires, it
/// takes its place in the bus's order: an event that was accepted before the deadline may still
/// cancel the way down.
///
/// `@unchecked Sendable`: `machine` is part of the row's contents (see `ObserverRow`); the rest is
/// constant, and `Sendable`.
final class SettleRow: SubscriberRow<LifecyclePhase>, @unchecked Sendable {
  private let duration: Duration
  private var machine: SettleMachine
  private let alarm: Alarm

  init(
    _ core: LifecycleBusCore,
    _ kinds: LifecycleEvent.Kinds,
    _ site: CallSite?,
    _ downstream: Downstream<LifecyclePhase>,
    settling duration: Duration
  ) {
    self.duration = duration
    machine = SettleMachine(published: .unknown, duration: duration)
    alarm = Alarm(core.clock)
    super.init(core, kinds, site, downstream, latest: LatestValue(==))
  }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    machine = SettleMachine(published: delivered.phase, duration: duration)
    offerFirst(delivered.phase)
  }

  override func receive(_ event: LifecycleEvent) {
    publish(machine.move(to: event.phase, at: event.instant.continuous))
  }

  package override func finish() {
    guard isLive else { return }
    if machine.deadline != nil { publish(machine.end(at: core.clock.continuous)) }
    super.finish()
  }

  override func clear() {
    alarm.cancel()
    super.clear()
  }

  private func publish(_ phases: [LifecyclePhase]) {
    for phase in phases where isLive { offer(phase) }
    setTimer()
  }

  private func setTimer() {
    guard let deadline = machine.deadline else { return alarm.cancel() }
    let isNew = alarm.set(for: deadline) { [weak self] in self?.fire(deadline) }
    // The timer of a clock that stands still may not fire if its deadline has passed already.
    if isNew, core.clock.continuous >= deadline { fire(deadline) }
  }

  /// Publishes the phases that are due. Thread-safe. Has no effect if called again.
  private func fire(_ deadline: ContinuousInstant) {
    core.perform(inTurnOf: self) { [self] in publish(machine.publishDue(at: deadline)) }
  }
}
