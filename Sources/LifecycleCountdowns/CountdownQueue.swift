import LifecycleSupport
import ReactiveLifecycle

/// All countdowns of a bus, protected by a lock.
///
/// Countdowns keep the queue alive; the queue keeps the core of the bus alive.
package final class CountdownQueue: Sendable {
  let bus: LifecycleBusCore
  let machine: Locked<CountdownQueueMachine>
  private let row: ListenerRow
  private let alarm: Alarm
  /// Indicates whether the bus is recorded.
  let taps: SharedFlag

  private init(bus: LifecycleBusCore) {
    self.bus = bus
    taps = bus.tapIndicator
    machine = Locked(CountdownQueueMachine(phase: bus.phase))
    row = ListenerRow(
      ownedOn: bus,
      kinds: [.didFinishLaunching, .willEnterForeground, .didEnterBackground],
      site: nil
    )
    alarm = Alarm(bus.clock)
    row.setOwner(self) { [weak self] in self?.listener?.location }
  }

  deinit {
    row.cancel()
  }

  /// Returns the queue of a bus.
  static func of(_ bus: LifecycleBusCore) -> CountdownQueue {
    let queue = bus.attachment(ObjectIdentifier(CountdownQueue.self), CountdownQueue.init) {
      bus.listen(($0 as! CountdownQueue).row)
    }
    return queue as! CountdownQueue
  }

  // MARK: Any thread

  func state(of countdown: CountdownCore) -> Countdown.State {
    let now = now
    return machine.withLock { _ in countdown.machine.state(at: now) }
  }

  func record(
    of countdown: CountdownCore,
    at now: LifecycleInstant,
    boot: BootID?
  ) -> Countdown.Record {
    let isInForeground = bus.phase.isForeground
    return machine.withLock { _ in
      countdown.machine.record(at: now, boot: boot, isInForeground: isInForeground)
    }
  }

  func restore(
    _ countdown: CountdownCore,
    from record: Countdown.Record,
    remaining: Int64,
    isClockTrusted: Bool,
    at now: Int64
  ) {
    let hasWork = recording { queue in
      // As it was when the record was made, until the phase is known.
      if record.isHeld { _ = countdown.machine.enterBackground(at: now) }
      return queue.perform(on: countdown, at: now, endsRun: true) { machine, now in
        machine.restore(
          record.status,
          remaining: remaining,
          isClockTrusted: isClockTrusted,
          isEndPending: record.isEndPending,
          at: now
        )
      }
    }
    if hasWork { requestTurn() }
  }

  func perform(
    on countdown: CountdownCore,
    endsRun: Bool,
    _ command: @Sendable (inout CountdownMachine, _ now: Int64) -> Countdown.State?
  ) {
    let now = now
    // Two closures: one that is used in two places is not inlined.
    let hasWork =
      taps.isOn
      ? record { $0.perform(on: countdown, at: now, endsRun: endsRun, command) }
      : machine.withLock { $0.perform(on: countdown, at: now, endsRun: endsRun, command) }
    if hasWork { requestTurn() }
  }

  func release(_ countdown: CountdownCore) {
    // The countdown may hold the last reference to the rows.
    let (hasWork, rows) =
      taps.isOn
      ? record { $0.release(countdown) } : machine.withLock { $0.release(countdown) }
    withExtendedLifetime(rows) {}
    if hasWork { requestTurn() }
  }

  func leave(_ countdown: CountdownCore) {
    machine.withLock { $0.leave(countdown) }
  }

  func leaveEnds(_ countdown: CountdownCore) {
    machine.withLock { _ in countdown.endRows.removeAll { !$0.isLive } }
  }

  private var listener: FeatureRow<Countdown.State>? {
    machine.withLock { $0.listener }
  }

  /// The number of entries in the heaps, for tests.
  package var entryCount: (ticks: Int, ends: Int) { machine.withLock { $0.entryCount } }

  /// Delivers pending states, after what the bus has accepted so far: that may still move the
  /// process to the background.
  private func requestTurn() {
    bus.perform(inTurnOf: row) { [self] in takeTurn() }
  }

  // MARK: Where the bus delivers

  func join(
    _ row: FeatureRow<Countdown.State>,
    _ countdown: CountdownCore
  ) -> (state: Countdown.State, isLast: Bool) {
    let now = now
    let joined = recording { $0.join(row, countdown, at: now) }
    if joined.hasWork { requestTurn() }
    return (joined.state, joined.isLast)
  }

  func joinEnds(
    _ row: FeatureRow<Countdown.State>,
    _ countdown: CountdownCore
  ) -> (end: Countdown.State?, isLast: Bool) {
    let now = now
    let joined = recording { $0.joinEnds(row, countdown, at: now) }
    if joined.hasWork { requestTurn() }
    return (joined.end, joined.isLast)
  }

  private func move(to phase: LifecyclePhase, at instant: ContinuousInstant) {
    let instant = instant.timeSinceBoot.nanoseconds
    recording { machine in
      switch phase {
      case .unknown: break
      case .background: machine.enterBackground(at: instant)
      default: machine.enterForeground(at: instant)
      }
    }
    requestTurn()
  }

  private func takeTurn() {
    let now = now
    while let (row, state) = recording({ $0.next(at: now) }) {
      if let state { row.tell(state) } else { row.finish() }
    }
    // Also for what is due by now: an observer that takes longer over a tick than the interval to
    // the next one would otherwise occupy the thread until the countdown has finished.
    let deadline = machine.withLock { $0.setAlarm() }
    alarm.set(for: deadline.map { ContinuousInstant(timeSinceBoot: .nanoseconds($0)) }) {
      [weak self] in self?.requestTurn()
    }
  }

  private var now: Int64 { bus.clock.continuous.timeSinceBoot.nanoseconds }
}

extension CountdownQueue: BusListener {
  func join(at delivered: DeliveredState) {
    move(to: delivered.phase, at: bus.clock.continuous)
  }

  func hear(_ event: LifecycleEvent) {
    move(to: event.phase, at: event.instant.continuous)
  }

  func busDidEnd() {
    // The old machine holds countdowns and rows.
    machine.discard { machine in
      let old = machine
      machine.end()
      return old
    }
    alarm.cancel()
  }
}
