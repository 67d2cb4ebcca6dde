import DequeModule
import HeapModule
import ReactiveLifecycle

/// Knows what three clocks show, and in which order the work that waits for them is due: what is queued
/// before what is scheduled, the earlier deadline first, and of equal ones what was scheduled first.
///
/// Scheduling is O(log n), and so is finding what is due. The deadline of work that was cancelled stays
/// until it is due, or until most of the deadlines are such.
struct ManualClockMachine<Work> {
  private struct Deadline: Comparable {
    let instant: ContinuousInstant
    let id: Int

    static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.instant, lhs.id) < (rhs.instant, rhs.id)
    }
  }

  private(set) var now: LifecycleInstant
  /// All the time that has passed, whatever became of the readings.
  private(set) var elapsed: Duration = .zero
  /// How many times the device was restarted.
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

  /// How much work waits for its deadline.
  var scheduledCount: Int { scheduled.count }

  mutating func schedule(at deadline: ContinuousInstant, _ work: Work) -> Int {
    defer { nextID += 1 }
    deadlines.insert(Deadline(instant: deadline, id: nextID))
    scheduled[nextID] = work
    return nextID
  }

  /// - Returns: What was scheduled; nil if it is not any more.
  mutating func cancel(_ id: Int) -> Work? {
    guard let work = scheduled.removeValue(forKey: id) else { return nil }
    if deadlines.count > 2 * scheduled.count + 64 {
      deadlines = Heap(deadlines.unordered.filter { scheduled[$0.id] != nil })
    }
    return work
  }

  /// - Returns: All that was scheduled, in that order.
  mutating func cancelAll() -> [Work] {
    defer { (deadlines, scheduled) = (Heap(), [:]) }
    return scheduled.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Has the work done before the clocks go on.
  mutating func enqueue(_ work: Work) {
    queued.append(work)
  }

  mutating func dequeue() -> Work? {
    queued.popFirst()
  }

  /// How long it is until work is due; nil if there is none, or the clocks never get there.
  mutating func timeToNext() -> Duration? {
    if !queued.isEmpty { return .zero }
    let last = ContinuousInstant.boot + .seconds(Int64.max)
    return nextDeadline(upTo: last).map { max($0, now.continuous) - now.continuous }
  }

  // MARK: Moves

  /// Moves all three clocks to the next deadline, or by `time` if that is less.
  ///
  /// - Parameter time: What is left of a move; less what was used, afterwards.
  /// - Returns: The work that is due; nil when none is, and no time is left.
  mutating func advance(by time: inout Duration) -> Work? {
    let start = now.continuous
    defer { time -= now.continuous - start }
    return advance(to: start + time)
  }

  /// Moves all three clocks to the next deadline, or to `end` if that comes first.
  ///
  /// - Returns: The work that is due; nil when none is, and the end is reached or has passed.
  mutating func advance(to end: ContinuousInstant) -> Work? {
    if let work = dequeue() { return work }
    let due = nextDeadline(upTo: end)
    pass(max(due ?? end, now.continuous) - now.continuous)
    return due == nil ? nil : deadlines.popMin().flatMap { scheduled.removeValue(forKey: $0.id) }
  }

  /// Moves all three clocks to the next deadline.
  ///
  /// - Returns: The work that is due; nil when none is left, and then the clocks stay where they are.
  mutating func advanceToNext() -> Work? {
    timeToNext().flatMap { advance(to: now.continuous + $0) }
  }

  mutating func sleep(for time: Duration) {
    move(by: time, \.continuous.timeSinceBoot, \.timeSince1970)
    addToElapsed(time)
  }

  mutating func stop(for time: Duration) {
    pass(time)
  }

  mutating func setWallClock(by shift: Duration) {
    move(by: shift, \.timeSince1970)
  }

  /// Boots the device again, half a minute before anything can be done with it.
  ///
  /// - Returns: What was scheduled, in that order: it is no more.
  mutating func restart(after time: Duration) -> [Work] {
    move(by: time, \.timeSince1970)
    now.continuous = .boot + .seconds(30)
    now.timeAwake = .seconds(30)
    addToElapsed(time)
    restarts += 1
    return cancelAll()
  }

  private mutating func pass(_ time: Duration) {
    move(by: time, \.continuous.timeSinceBoot, \.timeAwake, \.timeSince1970)
    addToElapsed(time)
  }

  private mutating func addToElapsed(_ time: Duration) {
    elapsed = (elapsed + time.clamped).clamped
  }

  /// The first deadline of what was not cancelled, if it comes up to then.
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
