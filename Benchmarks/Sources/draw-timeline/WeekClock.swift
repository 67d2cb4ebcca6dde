import ReactiveLifecycle
import Synchronization

/// A clock that goes on when it is told to, on a device that sleeps at times. Its timers never fire.
///
/// The clock of `LifecycleTesting` would have that library and all it depends on optimized, for this
/// program alone.
final class WeekClock: LifecycleClock {
  private struct Reading {
    var continuous = Duration.zero
    var asleep = Duration.zero
  }

  private let reading = Mutex(Reading())

  var now: LifecycleInstant {
    reading.withLock { reading in
      LifecycleInstant(
        continuous: ContinuousInstant(timeSinceBoot: reading.continuous),
        timeAwake: reading.continuous - reading.asleep,
        timeSince1970: reading.continuous
      )
    }
  }

  var continuous: ContinuousInstant { now.continuous }

  func schedule(at deadline: ContinuousInstant, _ body: @escaping @Sendable () -> Void)
    -> LifecycleCancellable
  {
    LifecycleCancellable {}
  }

  func advance(by duration: Duration) {
    reading.withLock { $0.continuous += duration }
  }

  func sleepDevice(for duration: Duration) {
    reading.withLock { reading in
      reading.continuous += duration
      reading.asleep += duration
    }
  }
}
