/// What a scheduler is made of. Its fetches and its timer keep it alive, never the scheduler.
final class BackgroundFetchSchedule: Sendable {
  private struct State {
    var machine: BackgroundFetchScheduleMachine
    var handler: (@Sendable (BackgroundFetchRequest) -> Void)?
    /// What the timer is set for, or is about to be.
    var alarm: Duration?
    var timer: LifecycleTimer?
    /// The end of the fetch under way.
    var expiry: LifecycleTimer?
  }

  private let bus: BusCore
  private let limit: LifecyclePhase
  private let deadline: Duration
  private let store: BackgroundFetchStore
  private let row: BackgroundFetchScheduleRow
  private let state: Locked<State>

  init(
    bus: BusCore,
    limit: LifecyclePhase,
    deadline: Duration,
    store: BackgroundFetchStore,
    madeAt site: CallSite
  ) {
    self.bus = bus
    self.limit = limit
    self.deadline = deadline
    self.store = store
    let now = bus.clock.now
    let age = store.load()?.age(at: now, boot: bus.clock.boot)
    state = Locked(State(machine: .init(last: age.map { now.continuous.clamped - $0.clamped })))
    // Timers may have slept with the device.
    let kinds = KindFilter(some: Transition.kinds + [.systemDidWake])
    row = BackgroundFetchScheduleRow(core: bus, kinds: kinds, site: site)
    row.schedule = self
    bus.listen(row)
  }

  // MARK: Any thread

  func setInterval(_ interval: Duration?) {
    let now = bus.clock.continuous
    state.withLock { $0.machine.setInterval(interval, at: now) }
    ring()
  }

  func setHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    let old = state.withLock { state in
      defer { state.handler = handler }
      state.machine.hasHandler = handler != nil
      return state.handler
    }
    withExtendedLifetime(old) { ring() }
  }

  func end() {
    let (timer, handler) = state.withLock { state in
      state.machine.end()
      return (state.timer.take(), state.handler.take())
    }
    withExtendedLifetime((timer, handler)) { row.cancel() }
  }

  private func finish(_ number: Int) {
    let expiry = state.withLock { state in
      state.machine.finish(number) ? state.expiry.take() : nil
    }
    withExtendedLifetime(expiry) { ring() }
  }

  /// Looks at the time where the bus delivers, after what it has accepted so far: that may still change
  /// the phase.
  private func ring() {
    bus.timeCame(.zero, for: row)
  }

  // MARK: Where the bus delivers

  func move(to phase: LifecyclePhase) {
    let reached = phase == .unknown ? .active : phase
    state.withLock { $0.machine.isInPhase = phase != .terminated && reached <= limit }
    look()
  }

  func look() {
    let now = bus.clock.now
    let (action, handler) = state.withLock { state in
      (state.machine.next(at: now.continuous), state.handler)
    }
    switch action {
    case .wait(let time): setTimer(for: time)
    case .begin(let number):
      setTimer(for: nil)
      store.save(BackgroundFetchRecord(began: now, boot: bus.clock.boot))
      begin(number, at: now.continuous, handler)
    }
  }

  private func begin(
    _ number: Int,
    at now: Duration,
    _ handler: (@Sendable (BackgroundFetchRequest) -> Void)?
  ) {
    let request = BackgroundFetchRequest(deadline: deadline) { [self] _ in finish(number) }
    // A request that nobody completes does not hold up the next.
    let expiry = bus.clock.schedule(at: now.clamped + deadline.clamped) { [self] in
      request.expire()
      finish(number)
    }
    state.withLock { $0.expiry = expiry }
    handler?(request)
  }

  private func setTimer(for time: Duration?) {
    let isSet = state.withLock { state in
      defer { state.alarm = time }
      return state.alarm == time
    }
    guard !isSet else { return }
    let timer = time.map { time in
      bus.clock.schedule(at: time) { [weak self] in self?.ring() }
    }
    let old = state.withLock { state in
      guard state.alarm == time, !state.machine.hasEnded else { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    withExtendedLifetime(old) {}
  }
}

/// The place of a scheduler among the observers of its bus.
///
/// `@unchecked Sendable`: `schedule` is set before anybody else knows the row.
final class BackgroundFetchScheduleRow: ObserverRow, @unchecked Sendable {
  weak var schedule: BackgroundFetchSchedule?

  /// It belongs to the scheduler, which is no subscription.
  override var isListed: Bool { false }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    schedule?.move(to: delivered.phase)
  }

  override func receive(_ event: LifecycleEvent) {
    schedule?.move(to: event.phase)
  }

  override func timeCame(_ instant: Duration) {
    schedule?.look()
  }

  override func finish() {
    schedule?.end()
    super.finish()
  }
}
