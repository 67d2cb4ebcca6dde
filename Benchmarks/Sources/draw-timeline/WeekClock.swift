import ReactiveLifecycle
import Synchronization

/// A clock that advances only when the program moves it, on a device that sleeps at times. Its timers
/// never fire.
///
/// The clock of `LifecycleTesting` would build that library, and everything it depends on, with
/// optimization for this program alone.
final class WeekClock: LifecycleClock {
  private struct Reading {
    /// An hour after the boot.
    var continuous = Duration.seconds(3_600)
    var asleep = Duration.zero
  }

  /// The beginning of 2026, less that hour.
  private static let boot = Duration.seconds(1_767_225_600 - 3_600)

  private let reading = Mutex(Reading())

  var now: LifecycleInstant {
    reading.withLock { reading in
      LifecycleInstant(
        continuous: ContinuousInstant(timeSinceBoot: reading.continuous),
        timeAwake: reading.continuous - reading.asleep,
        timeSince1970: Self.boot + reading.continuous
      )
    }
  }

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
