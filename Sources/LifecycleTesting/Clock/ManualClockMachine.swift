import DequeModule
import HeapModule
import LifecycleCore

/// The readings of three clocks, and the order of the work that waits for them.
///
/// Queued work is due before scheduled work, scheduled work in the order of the deadlines, and work
/// with equal deadlines in the order of scheduling. The deadline of cancelled work stays until it
/// is due, or until most of the deadlines belong to cancelled work.
///
/// - Complexity: O(log *n*) to schedule work and to find the work that is due.
struct ManualClockMachine<Work> {
  private struct Deadline: Comparable {
    let instant: ContinuousInstant
    let id: Int

    static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.instant, lhs.id) < (rhs.instant, rhs.id)
    }
  }

  private(set) var now: LifecycleInstant
  /// The time that has passed, independent of changes to the readings.
  private(set) var elapsed: Duration = .zero
  /// The number of times that the device was restarted.
  private(set) var restarts = 0
  private var deadlines = Heap<Deadline>()
  private var scheduled: [Int: Work] = [:]
  private var queued: Deque<Work> = []
  private var nextID = 0

  init(now: LifecycleInstant) {
    self.now = now
    move(by: .zero, \.continuous.timeSinceBoot, \.timeAwake, \.timeSince1970)
  }

  // MARK: Work

  /// The number of pieces of work that wait for their deadlines.
  var scheduledCount: Int { scheduled.count }

  mutating func schedule(at deadline: ContinuousInstant, _ work: Work) -> Int {
    defer { nextID += 1 }
    deadlines.insert(Deadline(instant: deadline, id: nextID))
    scheduled[nextID] = work
    return nextID
  }

  /// - Returns: The scheduled work; nil if it is no longer scheduled.
  mutating func cancel(_ id: Int) -> Work? {
    guard let work = scheduled.removeValue(forKey: id) else { return nil }
    if deadlines.count > 2 * scheduled.count + 64 {
      deadlines = Heap(deadlines.unordered.filter { scheduled[$0.id] != nil })
    }
    return work
  }

  /// - Returns: All scheduled work, in the order of scheduling.
  mutating func cancelAll() -> [Work] {
    defer { (deadlines, scheduled) = (Heap(), [:]) }
    return scheduled.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Queues work to be done before the clocks continue.
  mutating func enqueue(_ work: Work) {
    queued.append(work)
  }

  mutating func dequeue() -> Work? {
    queued.popFirst()
  }

  /// Returns the time until work is due; nil if there is none, or if the clocks never reach its
  /// deadline.
  mutating func timeToNext() -> Duration? {
    if !queued.isEmpty { return .zero }
    let last = ContinuousInstant.boot + .seconds(Int64.max)
    return nextDeadline(upTo: last).map { max($0, now.continuous) - now.continuous }
  }

  // MARK: Moves

  /// Moves all three clocks to the next deadline, or by `time` if that is less.
  ///
  /// - Parameter time: The rest of a move; on return, less the time that was used.
  /// - Returns: The work that is due; nil if none is due and no time is left.
  mutating func advance(by time: inout Duration) -> Work? {
    let start = now.continuous
    defer { time -= now.continuous - start }
    return advance(to: start + time)
  }

  /// Moves all three clocks to the next deadline, or to `end` if that comes first.
  ///
  /// - Returns: The work that is due; nil if none is due and the end is reached or has passed.
  mutating func advance(to end: ContinuousInstant) -> Work? {
    if let work = dequeue() { return work }
    let due = nextDeadline(upTo: end)
    pass(max(due ?? end, now.continuous) - now.continuous)
    return due == nil ? nil : deadlines.popMin().flatMap { scheduled.removeValue(forKey: $0.id) }
  }

  /// Moves all three clocks to the next deadline.
  ///
  /// - Returns: The work that is due; nil if none is left, in which case the clocks don't move.
  mutating func advanceToNext() -> Work? {
    timeToNext().flatMap { advance(to: now.continuous + $0) }
  }

  mutating func sleep(for time: Duration) {
    move(by: time, \.continuous.timeSinceBoot, \.timeSince1970)
    addToElapsed(time)
  }

  /// Shows a later instant, as if the device had slept, and its wall clock had been set.
  mutating func show(_ instant: LifecycleInstant) {
    addToElapsed(max(now.continuous.duration(to: instant.continuous), .zero))
    showAfterRestart(instant)
  }

  /// Shows an instant of the boot that has just begun.
  mutating func showAfterRestart(_ instant: LifecycleInstant) {
    now = instant
    move(by: .zero, \.continuous.timeSinceBoot, \.timeAwake, \.timeSince1970)
  }

  mutating func setWallClock(by shift: Duration) {
    move(by: shift, \.timeSince1970)
  }

  /// Restarts the device, half a minute before anything can be done with it.
  ///
  /// - Returns: The work that was scheduled, in that order; it is dropped.
  mutating func restart(after time: Duration) -> [Work] {
    move(by: time, \.timeSince1970)
    now.continuous = .boot + .seconds(30)
    now.timeAwake = .seconds(30)
    addToElapsed(time)
    restarts += 1
    return cancelAll()
  }

  /// Lets time pass without calling anything.
  mutating func pass(_ time: Duration) {
    move(by: time, \.continuous.timeSinceBoot, \.timeAwake, \.timeSince1970)
    addToElapsed(time)
  }

  private mutating func addToElapsed(_ time: Duration) {
    elapsed = (elapsed + time.clamped).clamped
  }

  /// Returns the first deadline of work that was not cancelled, if it is not later than `end`.
  private mutating func nextDeadline(upTo end: ContinuousInstant) -> ContinuousInstant? {
    while let next = deadlines.min, scheduled[next.id] == nil { deadlines.removeMin() }
    return deadlines.min.flatMap { $0.instant <= end ? $0.instant : nil }
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

/// The number of sleepers, and the waiters for certain numbers of them.
struct SleeperCount<Waiter> {
  private(set) var count = 0
  private var waiters: [Int: (count: Int, waiter: Waiter)] = [:]
  private var nextID = 0

  /// - Returns: The waiters that no longer need to wait, in the order of their arrival.
  mutating func add() -> [Waiter] {
    count += 1
    let ids = waiters.keys.filter { waiters[$0]!.count <= count }.sorted()
    return ids.compactMap { waiters.removeValue(forKey: $0)?.waiter }
  }

  mutating func remove() {
    count -= 1
  }

  /// - Returns: The number to cancel with; nil if there is no need to wait.
  mutating func wait(for count: Int, _ waiter: Waiter) -> Int? {
    guard self.count < count else { return nil }
    defer { nextID += 1 }
    waiters[nextID] = (count, waiter)
    return nextID
  }

  mutating func cancel(_ id: Int) {
    waiters[id] = nil
  }
}
