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
    let next = timers.min
    let distance = next.map { max($0.deadline - now.continuous, .zero) }
    let step = min(distance ?? time, time)
    now.continuous += step
    now.suspending += step
    now.wall += step
    time -= step
    guard step == distance else { return nil }
    return timers.popMin()?.id
  }

  mutating func sleep(for time: Duration) {
    now.continuous += time
    now.wall += time
  }

  mutating func setWallClock(by shift: Duration) {
    now.wall += shift
  }
}
