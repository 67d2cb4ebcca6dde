/// The place of a bus's countdowns among its observers, and their timer.
///
/// The timer only takes its place in the bus's order: what was accepted before may still take the
/// process to the background.
///
/// `@unchecked Sendable`: `alarm` is touched where the bus delivers only, as `ObserverRow` says; `queue`
/// is set before anybody else knows the row.
final class CountdownQueueRow: ObserverRow, @unchecked Sendable {
  private struct Alarm {
    let deadline: Int64
    let timer: LifecycleTimer
  }

  weak var queue: CountdownQueue?
  private var alarm: Alarm?

  init(core: BusCore) {
    let kinds: [LifecycleEvent.Kind] = [
      .didFinishLaunching, .willEnterForeground, .didEnterBackground,
    ]
    super.init(core: core, kinds: KindFilter(some: kinds), site: nil)
  }

  /// It is there for the countdowns, and goes with the last of them.
  override var isListed: Bool { false }

  override var runningLocation: LifecycleObserverLocation {
    queue?.listener?.location ?? location
  }

  override var startsWithValue: Bool { true }

  override func start(after delivered: DeliveredState, catchUp: LifecycleCatchUp) {
    queue?.move(to: delivered.phase, at: core.clock.continuous)
  }

  override func receive(_ event: LifecycleEvent) {
    queue?.move(to: event.phase, at: event.instant.continuous)
  }

  override func timeCame(_ instant: Duration) {
    if let queue { setAlarm(at: queue.tell()) }
  }

  override func finish() {
    queue?.end()
    super.finish()
  }

  override func clear() { alarm = nil }

  private func setAlarm(at deadline: Int64?) {
    guard let deadline else { return alarm = nil }
    guard deadline != alarm?.deadline else { return }
    // Also for what is due by now: those who take longer over a tick than the next one takes to come
    // would otherwise keep the thread until the countdown has finished.
    let timer = core.clock.schedule(at: .nanoseconds(deadline)) { [weak self] in
      if let self { core.timeCame(.zero, for: self) }
    }
    alarm = Alarm(deadline: deadline, timer: timer)
  }
}
