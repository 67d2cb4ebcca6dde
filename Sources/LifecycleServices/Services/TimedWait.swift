#if Services
  import LifecycleSupport
  import ReactiveLifecycle

  /// A wait for a completion, up to a deadline, which the cancellation of the task does not end.
  final class TimedWait: Sendable {
    private let clock: any LifecycleClock
    private let deadline: Duration
    private let waiting = Locked<CheckedContinuation<Bool, Never>?>(nil)

    init(_ clock: any LifecycleClock, _ deadline: Duration) {
      self.clock = clock
      self.deadline = deadline
    }

    /// Starts an operation, and waits until it calls its completion. Call this method once.
    ///
    /// - Returns: Whether the deadline has passed first.
    func wait(for start: (@escaping @Sendable () -> Void) -> Void) async -> Bool {
      let alarm = Alarm(clock)
      defer { alarm.end() }
      return await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        alarm.set(for: clock.continuous + deadline) { [self] in finish(isTimeUp: true) }
        start { [self] in finish(isTimeUp: false) }
      }
    }

    private func finish(isTimeUp: Bool) {
      waiting.take()?.resume(returning: isTimeUp)
    }
  }
#endif
