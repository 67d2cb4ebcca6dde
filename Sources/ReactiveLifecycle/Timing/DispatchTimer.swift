import Dispatch

/// A timer of Dispatch that goes by another clock. It runs from its creation until it is released.
///
/// Dispatch's own clock stops while the device sleeps, so that the timer may fire late, and the two
/// need not run at the same rate, so that it may fire early: then it is armed again.
///
/// `@unchecked Sendable`: Dispatch's timers may be used on any thread, and nothing else is left
/// unguarded.
final class DispatchTimer: @unchecked Sendable {
  private let deadline: Duration
  private let reading: @Sendable () -> Duration
  private let body: Locked<(@Sendable () -> Void)?>
  private let source = DispatchSource.makeTimerSource(queue: .global())

  /// - Parameters:
  ///   - deadline: What the clock must show before the body is called.
  ///   - reading: What the clock shows.
  ///   - body: Called once, on a queue of Dispatch.
  init(
    deadline: Duration,
    reading: @escaping @Sendable () -> Duration,
    body: @escaping @Sendable () -> Void
  ) {
    self.deadline = deadline
    self.reading = reading
    self.body = Locked(body)
    source.setEventHandler { [weak self] in self?.fire() }
    arm(for: rest)
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// Any thread.
  func cancel() {
    _ = take()
    source.cancel()
  }

  private func fire() {
    let rest = rest
    guard rest == .zero else { return arm(for: rest) }
    take()?()
    source.cancel()
  }

  /// How long the body has to wait.
  private var rest: Duration {
    let now = reading()
    return now < deadline ? deadline - now : .zero
  }

  private func take() -> (@Sendable () -> Void)? {
    body.withLock { $0.take() }
  }

  private func arm(for rest: Duration) {
    source.schedule(deadline: .now() + rest.dispatchInterval)
  }
}
