import LifecycleCombine

extension LifecyclePublisher where Output == LifecyclePhase {
  /// Debounces the phases: suppresses interruptions in the foreground that are shorter than a
  /// duration.
  ///
  /// Use it for work that is expensive to stop and to restart.
  ///
  /// Leaving the furthest phase that the process has reached, usually `active`, is published when
  /// it has lasted for the duration, or when the process enters the background, where it may be
  /// suspended. If the process returns before that, nothing is published. All other changes are
  /// published at once. The first value is the phase at the time of subscribing.
  ///
  /// ```swift
  /// bus.phases.settle(for: .seconds(2))
  /// ```
  ///
  /// Time is measured between the instants of the events, on the continuous clock of the bus. If
  /// the process was stopped, or the device asleep, when a way down was due, it is published later,
  /// and at the latest before the way up that ends it. Each published phase is one step from the
  /// previous one. When the bus is released, only what is due is published.
  ///
  /// The values arrive where the bus delivers, in its one order: a ``LifecycleBus`` delivers them
  /// on the main actor; a ``NonisolatedLifecycleBus`` delivers what has become due on a thread of
  /// its ``LifecycleClock``. A subscriber with little demand receives the latest, unless it is the
  /// one that it received last.
  ///
  /// Applied to settled phases, the durations add up: `settle(for: .seconds(2))` twice is
  /// `settle(for: .seconds(4))`.
  ///
  /// - Parameter duration: The time for which an interruption lasts before it is published. With
  ///   zero or less, everything is published at once.
  /// - Returns: The settled phases. Only streams of phases can be settled.
  public func settle(
    for duration: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> LifecyclePublisher<LifecyclePhase> {
    LifecyclePublisher(
      core: core,
      stream: stream.settled(for: duration),
      site: CallSite(fileID, filePath, line, column)
    )
  }
}

extension EventStream<LifecyclePhase> {
  /// Returns a stream of the phases that last for the duration, and for that of the stream itself.
  ///
  /// The streams of phases are `phases` and this one, so nothing of the stream itself is lost.
  fileprivate func settled(for duration: Duration) -> Self {
    let settling = (settling + max(duration, .zero).clamped).clamped
    return EventStream(kinds: kinds, settling: settling, isSame: isSame) {
      SettleRow($0, $1, $2, $3, settling: settling)
    }
  }
}

/// A state machine that decides which phases have lasted long enough to be published, without a
/// clock, subscribers, or a lock.
struct SettleMachine {
  private let duration: Duration
  /// The furthest phase so far.
  ///
  /// Leaving it for another phase of the foreground is published when that has lasted for the
  /// duration. Any other change is published at once: in the background, the process may be
  /// suspended.
  private var furthest: LifecyclePhase
  /// The phase that the process is in.
  private var phase: LifecyclePhase
  private var published: LifecyclePhase
  /// The time at which leaving the furthest phase is published, unless the process moves before
  /// that; nil if nothing is pending.
  private(set) var deadline: ContinuousInstant?

  /// - Parameters:
  ///   - phase: The phase that has been published.
  ///   - duration: The time for which a way down lasts before it is published.
  init(published phase: LifecyclePhase, duration: Duration) {
    (furthest, self.phase, published) = (phase, phase, phase)
    self.duration = max(duration, .zero)
  }

  /// Moves one step, to a phase. Returns the phases to publish, in order.
  mutating func move(to phase: LifecyclePhase, at instant: ContinuousInstant) -> [LifecyclePhase] {
    let due = publishDue(at: instant)
    let isLeaving = self.phase == furthest && phase < furthest
    self.phase = phase
    furthest = max(furthest, phase)
    deadline = isLeaving && phase.isForeground ? instant + duration : nil
    return due + (deadline == nil ? publish() : publishDue(at: instant))
  }

  /// Updates the machine to a time before which no further event occurs. Returns the phases to
  /// publish, in order.
  mutating func publishDue(at instant: ContinuousInstant) -> [LifecyclePhase] {
    guard let deadline, deadline <= instant else { return [] }
    self.deadline = nil
    return publish()
  }

  /// Ends the machine at a time, and drops what is not due by then. Returns the phases to publish,
  /// in order.
  mutating func end(at instant: ContinuousInstant) -> [LifecyclePhase] {
    defer { deadline = nil }
    return publishDue(at: instant)
  }

  /// Returns the steps from the phase published last to the current phase of the process.
  private mutating func publish() -> [LifecyclePhase] {
    defer { published = phase }
    if phase > published { return [phase] }
    return Self.wayDown.filter { phase <= $0 && $0 < published }
  }

  private static let wayDown: [LifecyclePhase] = [.active, .inactive, .background, .terminated]
}

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
