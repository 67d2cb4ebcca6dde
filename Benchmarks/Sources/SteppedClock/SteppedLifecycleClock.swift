import LifecycleCore
import Synchronization

/// A clock that a call moves on by a second, and that has one timer.
public final class SteppedLifecycleClock: LifecycleClock {
  private struct State {
    var seconds = 0
    var body: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// A clock that shows zero.
  public init() {}

  public var now: LifecycleInstant {
    LifecycleInstant(
      continuous: continuous,
      timeAwake: continuous.timeSinceBoot,
      timeSince1970: continuous.timeSinceBoot
    )
  }

  public var continuous: ContinuousInstant {
    ContinuousInstant(timeSinceBoot: .seconds(state.withLock { $0.seconds }))
  }

  public func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
    -> LifecycleCancellable
  {
    state.withLock { $0.body = body }
    return LifecycleCancellable {}
  }

  /// Goes a second further, and calls the timer.
  public func step() {
    let body = state.withLock { state in
      state.seconds += 1
      return state.body.take()
    }
    body?()
  }
}
