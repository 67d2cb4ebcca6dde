/// All countdowns of a bus, behind a lock. Countdowns keep it alive; it keeps the core of the bus.
final class CountdownQueue: Sendable {
  let bus: BusCore
  private let machine: Locked<CountdownQueueMachine>
  private let row: CountdownQueueRow

  init(bus: BusCore) {
    self.bus = bus
    machine = Locked(CountdownQueueMachine(isInBackground: bus.phase == .background))
    row = CountdownQueueRow(core: bus)
    row.queue = self
  }

  deinit {
    row.cancel()
  }

  /// Begins to hear the bus.
  func listen() {
    bus.listen(row)
  }

  // MARK: Any thread

  func state(of countdown: CountdownCore) -> Countdown.State {
    let now = now
    return machine.withLock { _ in countdown.machine.state(at: now) }
  }

  func record(
    of countdown: CountdownCore,
    at now: LifecycleInstant,
    boot: BootIdentity?
  ) -> Countdown.Record {
    machine.withLock { _ in countdown.machine.record(at: now, boot: boot) }
  }

  func restore(
    _ countdown: CountdownCore,
    _ status: Countdown.Status,
    remaining: Int64,
    isVerified: Bool,
    at now: Int64
  ) {
    let hasWork = machine.withLock {
      $0.perform(on: countdown, at: now, endsRun: true) { machine, now in
        machine.restore(status, remaining: remaining, isVerified: isVerified, at: now)
      }
    }
    if hasWork { ring() }
  }

  func perform(
    on countdown: CountdownCore,
    endsRun: Bool,
    _ command: @Sendable (inout CountdownMachine, _ now: Int64) -> Countdown.State?
  ) {
    let now = now
    let hasWork = machine.withLock {
      $0.perform(on: countdown, at: now, endsRun: endsRun, command)
    }
    if hasWork { ring() }
  }

  func release(_ countdown: CountdownCore) {
    let (rows, hasWork) = machine.withLock { $0.release(countdown) }
    if hasWork { ring() }
    // Nobody but the countdown may have held them.
    withExtendedLifetime(rows) {}
  }

  func leave(_ countdown: CountdownCore) {
    machine.withLock { $0.leave(countdown) }
  }

  var listener: CountdownRow? {
    machine.withLock { $0.listener }
  }

  /// How many entries the heaps hold, for tests.
  var entryCount: (ticks: Int, ends: Int) { machine.withLock { $0.entryCount } }

  /// Has what is to be told told after what the bus has accepted so far.
  func ring() {
    bus.timeCame(.zero, for: row)
  }

  // MARK: Where the bus delivers

  func join(
    _ row: CountdownRow,
    _ countdown: CountdownCore
  ) -> (state: Countdown.State, isLast: Bool) {
    let now = now
    let joined = machine.withLock { $0.join(row, countdown, at: now) }
    if joined.hasWork { ring() }
    return (joined.state, joined.isLast)
  }

  func move(to phase: LifecyclePhase, at instant: Duration) {
    let instant = instant.nanoseconds
    machine.withLock { machine in
      if phase == .background {
        machine.enterBackground(at: instant)
      } else {
        machine.enterForeground(at: instant)
      }
    }
    ring()
  }

  /// Tells everybody what there is to be told.
  ///
  /// - Returns: When the timer is to go off.
  func tell() -> Int64? {
    let now = now
    while let (row, state) = machine.withLock({ $0.next(at: now) }) { row.tell(state) }
    return machine.withLock { $0.setAlarm() }
  }

  func end() {
    machine.withLock { $0.end() }
  }

  private var now: Int64 { bus.clock.continuous.nanoseconds }
}
