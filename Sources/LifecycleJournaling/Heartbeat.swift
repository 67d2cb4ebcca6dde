import ReactiveLifecycle

/// A repeated call, by the timers of a clock.
///
/// The beats keep to their schedule. After the process was stopped or the device was asleep, one
/// beat comes at once, and the next after the interval.
final class Heartbeat: Sendable {
  private let interval: Duration
  private let clock: any LifecycleClock
  private let alarm: Alarm

  /// - Parameter interval: The time between two beats, greater than zero.
  init(every interval: Duration, _ clock: any LifecycleClock) {
    self.interval = interval.clamped
    self.clock = clock
    alarm = Alarm(clock)
  }

  /// Starts the beats.
  ///
  /// The first one comes after the interval.
  ///
  /// - Parameter body: Called on a thread of the clock.
  func start(_ body: @escaping @Sendable () -> Void) {
    setAlarm(for: clock.continuous + interval, body)
  }

  /// Stops the beats permanently.
  ///
  /// Thread-safe.
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
