import LifecycleSupport

/// A timer of a clock that can be set again. Any thread.
package final class Alarm: Sendable {
  private struct State {
    var deadline: Duration?
    var timer: LifecycleTimer?
  }

  private let clock: any LifecycleClock
  private let state = Locked(State())

  package init(_ clock: any LifecycleClock) {
    self.clock = clock
  }

  /// Sets the timer for another deadline. One that is set for that deadline already, or has gone off
  /// then, stays as it is.
  ///
  /// - Parameters:
  ///   - deadline: A reading of the continuous clock; nil for no timer.
  ///   - body: Called once, on a thread of the clock's choice.
  /// - Returns: Whether the deadline is another one than before.
  @discardableResult
  package func set(for deadline: Duration?, _ body: @escaping @Sendable () -> Void) -> Bool {
    let isSet = state.withLock { state in
      defer { state.deadline = deadline }
      return state.deadline == deadline
    }
    guard !isSet else { return false }
    let timer = deadline.map { clock.schedule(at: $0, body) }
    // What is replaced, or not wanted any longer, is cancelled by its release: not under the lock.
    let unwanted = state.withLock { state in
      guard state.deadline == deadline else { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    withExtendedLifetime(unwanted) {}
    return true
  }

  /// Cancels the timer.
  package func cancel() {
    let timer = state.withLock { state in
      state.deadline = nil
      return state.timer.take()
    }
    withExtendedLifetime(timer) {}
  }
}
