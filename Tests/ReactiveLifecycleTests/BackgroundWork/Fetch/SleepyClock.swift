import LifecycleTesting
import ReactiveLifecycle

/// A clock whose timers have still to wait when the device wakes up, as Dispatch's have.
struct SleepyClock: LifecycleClock {
  let clock: ManualClock

  var now: LifecycleInstant { clock.now }

  func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void)
    -> LifecycleCancellable
  {
    LifecycleCancellable {}
  }
}
