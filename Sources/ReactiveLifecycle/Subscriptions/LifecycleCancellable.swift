public import LifecycleCombine
import LifecycleSupport

/// An object that is cancelled once: a source's connection, a clock's timer, a handler's
/// registration.
///
/// Either ``cancel()`` or its release cancels it, whichever comes first, on the thread that does
/// so. Thread-safe. Cancelling it again has no effect, and does not wait for another thread that is
/// cancelling it.
///
/// ```swift
/// let timer = clock.schedule(at: clock.continuous + .seconds(5)) { trace("five seconds") }
/// timer.cancel()
/// ```
///
/// A scope that stores one cancels it when the scope ends, and releases it earlier if it has been
/// cancelled elsewhere. An observer's registration is a ``LifecycleSubscription``.
public final class LifecycleCancellable: Cancellable, Sendable {
  private let onCancel: Locked<(@Sendable () -> Void)?>

  /// Creates a cancellable, as a clock does for its timers.
  ///
  /// ```swift
  /// let socket = try server.open()
  /// LifecycleCancellable { socket.close() }.store(in: scope)
  /// ```
  ///
  /// For a timer of a ``LifecycleClock``, the closure withdraws the scheduled call from the clock
  /// and releases it. If another thread is about to make the call, it may still do so.
  ///
  /// - Parameter onCancel: Called once, on the thread that cancels or releases the cancellable; for
  ///   a timer also after it has fired.
  public init(_ onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = Locked(onCancel)
  }

  deinit {
    cancel()
  }

  /// A Boolean value that indicates whether the cancellable has been cancelled. Thread-safe.
  public var isCancelled: Bool { onCancel.withLock { $0 == nil } }

  /// Cancels what this object stands for. Has no effect if it has been cancelled before.
  /// Thread-safe.
  public func cancel() {
    onCancel.take()?()
  }

  /// Makes the object one that has been cancelled, without calling its closure.
  ///
  /// - Returns: False if it has been cancelled before.
  func retire() -> Bool {
    onCancel.take() != nil
  }
}

extension LifecycleCancellable: ScopeMember {
  package func scopeDidEnd() { cancel() }

  package var hasEnded: Bool { isCancelled }
}
