import HeapModule
import ReactiveLifecycle

/// Knows what three clocks show, and in which order their timers are due.
///
/// Scheduling is O(log n), and so is finding what is due. A timer that was cancelled stays until it is
/// due: whoever calls the timers knows which are left.
struct ManualClockMachine {
  private struct Timer: Comparable {
    let deadline: Duration
    let id: Int

    static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.deadline, lhs.id) < (rhs.deadline, rhs.id)
    }
  }

  private(set) var now: LifecycleInstant
  private var timers = Heap<Timer>()
  private var nextID = 0

  init(now: LifecycleInstant) {
    self.now = now
    move(by: .zero, \.continuous, \.suspending, \.wall)
  }

  mutating func schedule(at deadline: Duration) -> Int {
    defer { nextID += 1 }
    timers.insert(Timer(deadline: deadline, id: nextID))
    return nextID
  }

  /// Moves all three clocks to the next deadline, or by `time` if that is less.
  ///
  /// - Parameter time: What is left of a move; less what was used, afterwards.
  /// - Returns: The timer that is due; nil when none is, and no time is left.
  mutating func advance(by time: inout Duration) -> Int? {
    let end = (now.continuous + time.clamped).clamped
    let due = timers.min.flatMap { $0.deadline <= end ? $0.deadline : nil }
    let step = max(due ?? end, now.continuous) - now.continuous
    move(by: step, \.continuous, \.suspending, \.wall)
    time -= step
    return due == nil ? nil : timers.popMin()?.id
  }

  mutating func sleep(for time: Duration) {
    move(by: time, \.continuous, \.wall)
  }

  mutating func stop(for time: Duration) {
    move(by: time, \.continuous, \.suspending, \.wall)
  }

  mutating func setWallClock(by shift: Duration) {
    move(by: shift, \.wall)
  }

  /// The clocks stop at ±2⁶³ s.
  private mutating func move(
    by time: Duration,
    _ clocks: WritableKeyPath<LifecycleInstant, Duration>...
  ) {
    for clock in clocks {
      now[keyPath: clock] = (now[keyPath: clock].clamped + time.clamped).clamped
    }
  }
}
