import Dispatch
import LifecycleSupport
import Synchronization

/// A Dispatch timer that follows another clock. It runs from its creation until it is released.
///
/// Dispatch's own clock stops while the device sleeps, so the timer may fire late. The two clocks
/// need not run at the same rate, so it may also fire early: then it is armed again.
///
/// A timer that is late may mean that the process was stopped, possibly by `SIGSTOP`, which can't
/// be caught. The process that continued it may have taken over its terminal. The timer therefore
/// waits once more, for a moment, in which the sources can report that.
final class DispatchTimer: Sendable {
  private static let grace = Duration.milliseconds(100)
  /// Has Dispatch open its timer, which it does once, when the first one is armed, and which must
  /// not lie where a closed standard stream was.
  private static let opened: Void = {
    guard SystemDescriptor.isStreamClosed else { return }
    SystemDescriptor.keepingAboveStreams {
      let fired = DispatchSemaphore(value: 0)
      let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.setEventHandler { fired.signal() }
      timer.schedule(deadline: .now() + .milliseconds(1))
      timer.activate()
      fired.wait()
      timer.cancel()
    }
  }()

  private let deadline: ContinuousInstant
  /// The last instant at which the timer is not late. A timer that was already due when it was
  /// created is not late for that reason.
  private let latest: ContinuousInstant
  private let reading: @Sendable () -> ContinuousInstant
  private let body: Locked<(@Sendable () -> Void)?>
  private let hasWaited = Atomic(false)
  /// Dispatch's timers may be used on any thread.
  private let source = UncheckedSendable(DispatchSource.makeTimerSource(queue: .global()))

  /// Creates a timer, and starts it.
  ///
  /// - Parameters:
  ///   - deadline: The reading that the clock must reach before the body is called.
  ///   - reading: Returns the current reading of the clock.
  ///   - body: Called once, on a Dispatch queue.
  init(
    deadline: ContinuousInstant,
    reading: @escaping @Sendable () -> ContinuousInstant,
    body: @escaping @Sendable () -> Void
  ) {
    Self.opened
    let now = reading()
    self.deadline = deadline
    latest = max(deadline, now) + Self.grace
    self.reading = reading
    self.body = Locked(body)
    source.value.setEventHandler { [weak self] in self?.fire() }
    arm(for: deadline - now)
    source.value.activate()
  }

  deinit {
    source.value.cancel()
  }

  /// Cancels the timer. Thread-safe.
  func cancel() {
    body.take()
    source.value.cancel()
  }

  private func fire() {
    let now = reading()
    guard now >= deadline else { return arm(for: deadline - now) }
    if now > latest, !hasWaited.exchange(true, ordering: .relaxed) {
      return arm(for: Self.grace)
    }
    body.take()?()
    source.value.cancel()
  }

  private func arm(for rest: Duration) {
    source.value.schedule(deadline: .now() + rest.dispatchInterval)
  }
}
