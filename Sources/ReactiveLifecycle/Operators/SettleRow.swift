/// A subscriber of the stream of settled phases.
///
/// It has a timer of the bus's clock while a way down is pending. The timer only takes its place in the
/// bus's order: what was accepted before the deadline may still take the way down back.
final class SettleRow: SubscriberRow<LifecyclePhase>, @unchecked Sendable {
  private struct Alarm {
    let deadline: Duration
    let timer: LifecycleTimer
  }

  private let duration: Duration
  private var machine: SettleMachine
  private var alarm: Alarm?

  init(
    _ core: BusCore,
    _ kinds: KindFilter,
    _ site: CallSite?,
    _ downstream: Downstream<LifecyclePhase>,
    settling duration: Duration
  ) {
    self.duration = duration
    machine = SettleMachine(announced: .unknown, duration: duration)
    super.init(core, kinds, site, downstream, keepsLatestOnly: true)
  }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    machine = SettleMachine(announced: delivered.phase, duration: duration)
    offerFirst(delivered.phase)
  }

  override func receive(_ event: LifecycleEvent) {
    announce(machine.move(to: event.phase, at: event.instant.continuous))
  }

  override func finish() {
    guard isLive else { return }
    if machine.deadline != nil { announce(machine.end(at: core.clock.continuous)) }
    super.finish()
  }

  override func clear() {
    alarm = nil
    super.clear()
  }

  private func announce(_ phases: [LifecyclePhase]) {
    for phase in phases where isLive { offer(phase) }
    setAlarm()
  }

  private func setAlarm() {
    guard let deadline = machine.deadline else { return alarm = nil }
    guard deadline != alarm?.deadline else { return }
    alarm = nil
    let timer = core.clock.schedule(at: deadline) { [weak self] in self?.ring(deadline) }
    alarm = Alarm(deadline: deadline, timer: timer)
    // The timer of a clock that stands still need not come when its deadline has passed already.
    if core.clock.continuous >= deadline { ring(deadline) }
  }

  /// Any thread. Ringing twice does no harm.
  private func ring(_ deadline: Duration) {
    core.perform(inTurnOf: self) { [self] in announce(machine.timeCame(deadline)) }
  }
}
