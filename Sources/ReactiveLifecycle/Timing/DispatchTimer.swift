import Dispatch
import LifecycleSupport
import Synchronization

/// A timer of Dispatch that goes by another clock. It runs from its creation until it is released.
///
/// Dispatch's own clock stops while the device sleeps, so that the timer may fire late, and the two
/// need not run at the same rate, so that it may fire early: then it is armed again.
///
/// A timer that is late finds a process that was stopped, maybe by a signal that nobody sees. Whoever
/// let it go on may have taken its terminal: the sources get a moment to say so first.
///
/// `@unchecked Sendable`: Dispatch's timers may be used on any thread, and nothing else is left
/// unguarded.
final class DispatchTimer: @unchecked Sendable {
  private static let grace = Duration.milliseconds(100)

  private let deadline: ContinuousInstant
  /// What is later than this is late; nothing is that was due when it was asked for.
  private let latest: ContinuousInstant
  private let reading: @Sendable () -> ContinuousInstant
  private let body: Locked<(@Sendable () -> Void)?>
  private let hasWaited = Atomic(false)
  private let source = DispatchSource.makeTimerSource(queue: .global())

  /// - Parameters:
  ///   - deadline: What the clock must show before the body is called.
  ///   - reading: What the clock shows.
  ///   - body: Called once, on a queue of Dispatch.
  init(
    deadline: ContinuousInstant,
    reading: @escaping @Sendable () -> ContinuousInstant,
    body: @escaping @Sendable () -> Void
  ) {
    let now = reading()
    self.deadline = deadline
    latest = max(deadline, now) + Self.grace
    self.reading = reading
    self.body = Locked(body)
    source.setEventHandler { [weak self] in self?.fire() }
    arm(for: deadline - now)
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// Any thread.
  func cancel() {
    body.take()
    source.cancel()
  }

  private func fire() {
    let now = reading()
    guard now >= deadline else { return arm(for: deadline - now) }
    if now > latest, !hasWaited.exchange(true, ordering: .relaxed) {
      return arm(for: Self.grace)
    }
    body.take()?()
    source.cancel()
  }

  private func arm(for rest: Duration) {
    source.schedule(deadline: .now() + rest.dispatchInterval)
  }
}
