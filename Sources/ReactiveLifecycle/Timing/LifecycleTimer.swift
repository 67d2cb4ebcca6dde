public import LifecycleCombine
import LifecycleSupport

/// Something that a ``LifecycleClock`` will do once.
///
/// A timer is cancelled once: when it is asked to, or when it is released. No call begins after the
/// first ``cancel()`` has returned (of two at once, the second does not wait for it); one that another
/// thread has begun goes on. It can be cancelled on any thread, and from inside the call.
///
/// ```swift
/// let timer = clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }
/// timer.cancel()
/// ```
public final class LifecycleTimer: Cancellable, Sendable {
  private let onCancel: Locked<(@Sendable () -> Void)?>

  /// A timer, as a clock hands it out.
  ///
  /// - Parameter onCancel: Takes back what the clock was asked to do, and releases it; when it has
  ///   returned, no call may begin any more. Called once, on the thread that cancels or releases the
  ///   timer, also after the timer has done its work.
  public init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Locked(onCancel)
  }

  deinit {
    cancel()
  }

  /// Cancels the timer. Any thread.
  public func cancel() {
    let onCancel = onCancel.withLock { $0.take() }
    onCancel?()
  }
}

extension LifecycleTimer: ScopeMember {
  package func scopeDidEnd() { cancel() }

  package var hasEnded: Bool { onCancel.withLock { $0 == nil } }
}
