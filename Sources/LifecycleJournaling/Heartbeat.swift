import LifecycleSupport
import ReactiveLifecycle

/// Does something again and again, by the clock's timers.
///
/// The beats keep to their times. After a stop, or a sleep of the device, one comes at once, and
/// the next after the interval.
final class Heartbeat: Sendable {
  private enum State {
    case running(beat: Int, LifecycleTimer?)
    case stopped
  }

  private let interval: Duration
  private let clock: any LifecycleClock
  private let state = Locked(State.running(beat: 0, nil))

  /// - Parameter interval: More than zero.
  init(every interval: Duration, _ clock: any LifecycleClock) {
    self.interval = interval.clamped
    self.clock = clock
  }

  /// Begins; the first beat comes after the interval.
  ///
  /// - Parameter body: Called on a thread of the clock.
  func start(_ body: @escaping @Sendable () -> Void) {
    arm(for: clock.continuous.clamped + interval, beat: 1, body)
  }

  /// No beat is waited for after that. Any thread.
  func stop() {
    let state = state.withLock { state in
      defer { state = .stopped }
      return state
    }
    withExtendedLifetime(state) {}
  }

  private func arm(
    for deadline: Duration,
    beat: Int,
    _ body: @escaping @Sendable () -> Void
  ) {
    let timer = clock.schedule(at: deadline) { [weak self] in
      self?.beat(beat, dueAt: deadline, body)
    }
    // What is replaced, or not wanted, is cancelled by its release, outside the lock.
    let unwanted: LifecycleTimer? = state.withLock { state in
      // The timer may have come, and another one have taken its place, before it could be kept.
      guard case .running(let latest, let old) = state, latest < beat else { return timer }
      state = .running(beat: beat, timer)
      return old
    }
    withExtendedLifetime(unwanted) {}
  }

  private func beat(_ beat: Int, dueAt deadline: Duration, _ body: @escaping @Sendable () -> Void) {
    guard state.withLock({ if case .running = $0 { true } else { false } }) else { return }
    body()
    let now = clock.continuous.clamped
    let next = deadline + interval
    arm(for: next > now ? next : now + interval, beat: beat + 1, body)
  }
}
