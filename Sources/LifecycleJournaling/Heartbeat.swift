import ReactiveLifecycle

/// Does something again and again, by the clock's timers.
///
/// The beats keep to their times. After a stop, or a sleep of the device, one comes at once, and
/// the next after the interval.
final class Heartbeat: Sendable {
  private let interval: Duration
  private let clock: any LifecycleClock
  private let alarm: Alarm

  /// - Parameter interval: More than zero.
  init(every interval: Duration, _ clock: any LifecycleClock) {
    self.interval = interval.clamped
    self.clock = clock
    alarm = Alarm(clock)
  }

  /// Begins; the first beat comes after the interval.
  ///
  /// - Parameter body: Called on a thread of the clock.
  func start(_ body: @escaping @Sendable () -> Void) {
    setAlarm(for: clock.continuous + interval, body)
  }

  /// Stops the beats for good. Thread-safe.
  func stop() {
    alarm.end()
  }

  private func setAlarm(for deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void) {
    alarm.set(for: deadline) { [weak self] in self?.beat(dueAt: deadline, body) }
  }

  private func beat(dueAt deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void) {
    guard !alarm.hasEnded else { return }
    body()
    let now = clock.continuous
    let next = deadline + interval
    let later = next > now ? next : now + interval
    // A clock that has reached its limit shows no later instant.
    guard later > now else { return }
    setAlarm(for: later, body)
  }
}
