import ReactiveLifecycle

extension ManualClock {
  /// Moves the clocks to a recorded instant: the time awake passes first, then the time asleep, and
  /// then the wall clock is set. Calls the timers that become due.
  ///
  /// Has no effect if the instant has passed.
  ///
  /// - Parameter limit: The time to move by at most, in which case the wall clock is not set.
  func follow(to instant: LifecycleInstant, atMost limit: Duration? = nil) {
    let start = now
    let distance = start.continuous.duration(to: instant.continuous)
    guard distance >= .zero else { return }
    let time = min(limit ?? distance, distance)
    let awake = max(instant.timeAwake.clamped - start.timeAwake.clamped, .zero)
    advance(by: min(awake, time))
    if time < distance {
      sleepDevice(for: time - min(awake, time))
    } else if now.continuous <= instant.continuous {
      pass { $0.show(instant) }
    }
  }

  /// Restarts the device, and shows the instant that was recorded after that.
  func restartDevice(to instant: LifecycleInstant) {
    let timeOff = instant.timeSince1970.clamped - now.timeSince1970.clamped
    restartDevice(for: max(timeOff, .zero))
    pass { $0.showAfterRestart(instant) }
  }
}
