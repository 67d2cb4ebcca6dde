import LifecycleSupport
import ReactiveLifecycle

/// The implementation of a scheduler. Its fetches and its timer keep it alive, but they never keep
/// the scheduler alive.
final class BackgroundFetchSchedule: Sendable {
  private struct State {
    var machine: BackgroundFetchScheduleMachine
    var handler: (@Sendable (BackgroundFetchRequest) -> Void)?
  }

  private let bus: LifecycleBusCore
  private let limit: LifecyclePhase
  private let deadline: Duration
  private let store: BackgroundFetchStore
  private let row: ListenerRow
  private let alarm: Alarm
  private let state: Locked<State>

  init(
    bus: LifecycleBusCore,
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
    let age = store.load()?.age(at: now, bootID: bus.clock.bootID)
    state = Locked(State(machine: .init(last: age.map { now.continuous - $0 })))
    // Timers may have been suspended while the device slept.
    let kinds = LifecycleEvent.Kinds.transitions.union([.systemDidWake])
    row = ListenerRow(ownedOn: bus, kinds: kinds, site: site)
    alarm = Alarm(bus.clock)
    row.setOwner(self)
    bus.listen(row)
  }

  // MARK: Any thread

  func setInterval(_ interval: Duration?) {
    let now = bus.clock.continuous
    state.withLock { $0.machine.setInterval(interval, at: now) }
    requestTurn()
  }

  func setHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    state.discard { state in
      defer { state.handler = handler }
      state.machine.hasHandler = handler != nil
      return state.handler
    }
    requestTurn()
  }

  func end() {
    state.discard { state in
      state.machine.end()
      return state.handler.take()
    }
    alarm.end()
    row.cancel()
  }

  private func finish(_ number: Int) {
    _ = state.withLock { $0.machine.finish(number) }
    requestTurn()
  }

  /// Checks the time where the bus delivers, after the events that it has accepted so far, which
  /// may still change the phase.
  private func requestTurn() {
    bus.perform(inTurnOf: row) { [self] in look() }
  }

  // MARK: Where the bus delivers

  private func move(to phase: LifecyclePhase) {
    let reached = phase == .unknown ? .active : phase
    state.withLock { $0.machine.isInPhase = phase != .terminated && reached <= limit }
    // Not at once: the phase may be one that the process only passes through.
    requestTurn()
  }

  private func look() {
    let now = bus.clock.now
    let (action, handler) = state.withLock { state in
      (state.machine.next(at: now.continuous), state.handler)
    }
    switch action {
    case .wait(let time): setTimer(for: time)
    case .begin(let number):
      setTimer(for: nil)
      store.save(BackgroundFetchRecord(began: now, bootID: bus.clock.bootID))
      begin(number, at: now.continuous, handler)
    }
  }

  private func begin(
    _ number: Int,
    at now: ContinuousInstant,
    _ handler: (@Sendable (BackgroundFetchRequest) -> Void)?
  ) {
    let expiry = Alarm(bus.clock)
    let end: @Sendable () -> Void = { [self] in
      expiry.end()
      finish(number)
    }
    let request = BackgroundFetchRequest(deadline: deadline) { _ in end() }
    // A request that is never completed does not delay the next one.
    expiry.set(for: now + deadline) {
      request.expire()
      end()
    }
    handler?(request)
  }

  private func setTimer(for time: ContinuousInstant?) {
    alarm.set(for: time) { [weak self] in self?.requestTurn() }
  }
}

extension BackgroundFetchSchedule: BusListener {
  func join(at delivered: DeliveredState) { move(to: delivered.phase) }

  func hear(_ event: LifecycleEvent) { move(to: event.phase) }

  func busDidEnd() { end() }
}
