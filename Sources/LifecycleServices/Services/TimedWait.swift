#if Services
  import LifecycleSupport
  import ReactiveLifecycle

  /// A wait for a completion, up to a deadline, which the cancellation of the task does not end.
  ///
  /// It is made in slices: while the process is frozen, no more than one of them passes.
  final class TimedWait: Sendable {
    private static let slice = Duration.milliseconds(100)

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
        set(alarm, deadline)
        start { [self] in finish(isTimeUp: false) }
      }
    }

    private func set(_ alarm: Alarm, _ rest: Duration) {
      let slice = min(rest, Self.slice)
      alarm.set(for: clock.continuous + slice) { [self] in
        if rest > slice { set(alarm, rest - slice) } else { finish(isTimeUp: true) }
      }
    }

    private func finish(isTimeUp: Bool) {
      waiting.take()?.resume(returning: isTimeUp)
    }
  }
#endif
