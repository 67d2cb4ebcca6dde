import DequeModule
import LifecycleCore

/// The part of a countdown that the queue refers to.
///
/// It outlives the ``Countdown`` for as long as the queue or a subscriber refers to it.
///
/// `@unchecked Sendable`: mutable state is accessed only under the lock of the queue.
package final class CountdownCore: @unchecked Sendable {
  package let queue: CountdownQueue
  fileprivate(set) var machine: CountdownMachine
  /// The moment at which the queue examines the countdown next, given by its valid entry;
  /// `CountdownHeap.none` for never.
  fileprivate var wake = CountdownHeap.none
  /// The number of its latest start or reset among those of the queue.
  ///
  /// It orders countdowns that are due at the same moment.
  fileprivate(set) var order: Int64 = 0
  fileprivate var rows: ContiguousArray<FeatureRow<Countdown.State>> = []
  /// The subscribers of the ends.
  fileprivate(set) var endRows: ContiguousArray<FeatureRow<Countdown.State>> = []
  /// The number of rows that may be dead, among those of the states.
  fileprivate var deadRows: Int32 = 0
  /// The number of the first subscribers of the ends, to which the end of the latest run was sent.
  fileprivate var notifiedRows: Int32 = 0
  fileprivate var isReleased = false
  /// A mark that the heap uses while it searches its entries.
  var isMarked = false

  init(queue: CountdownQueue, machine: CountdownMachine) {
    self.queue = queue
    self.machine = machine
  }
}

/// The state machine of all countdowns of a bus: which is due when, and which subscribers are to
/// receive which state.
///
/// It has no clock and no timer, and calls no one.
///
/// Running countdowns are in a heap, ordered by their next tick. In the background that heap is
/// idle; countdowns that finish there are in a separate heap, ordered by their ends.
struct CountdownQueueMachine {
  /// A state to deliver to subscribers.
  private struct Delivery {
    var rows: ArraySlice<FeatureRow<Countdown.State>>
    /// The state to deliver; nil when the states of a countdown finish.
    let state: Countdown.State?
    /// The countdown that ticked, and the number of the run in which it ticked; nil for other
    /// states.
    var tick: (countdown: CountdownCore, order: Int64)?

    /// A Boolean value that indicates whether this is the tick of a run that has been reset or
    /// restarted.
    var isOver: Bool { tick.map { $0.countdown.order != $0.order } ?? false }
  }

  /// The phase, as far as countdowns distinguish it.
  private enum Phase { case unknown, background, foreground }

  private var ticks = CountdownHeap { $0.wake }
  private var ends = CountdownHeap { $0.machine.deadline ?? CountdownHeap.none }
  /// The states that have not been delivered yet.
  private var deliveries: Deque<Delivery> = []
  /// The state that is being delivered.
  private var current: Delivery?
  /// The countdowns that are examined because the process returns: those that have ended, and
  /// after the return those that receive a tick.
  private var returning: Deque<CountdownCore> = []
  private var phase: Phase
  private var enteredBackground: Int64?
  /// The time of the wall clock when the continuous clock shows zero, when it was read last.
  private var wallOffset: Int64?
  private var isEnded = false
  private var lastOrder: Int64 = 0
  /// The moment up to which due countdowns are being reported; nil while nothing is being
  /// delivered.
  private var reportingMoment: Int64?
  /// The moment at which the timer of all countdowns fires; nil while none is armed.
  private var alarm: Int64?
  /// The countdowns as activities.
  private var log = CountdownLog()

  init(phase: LifecyclePhase) {
    self.phase =
      switch phase {
      case .unknown: .unknown
      case .background: .background
      default: .foreground
      }
  }

  private var isInBackground: Bool { phase == .background }

  // MARK: Commands

  /// Performs a command on a countdown.
  ///
  /// - Parameter endsRun: Whether the countdown has another run, or none, after the command.
  /// - Returns: Whether there is a state to deliver, or the timer must be set.
  @inline(__always)
  mutating func perform(
    on countdown: CountdownCore,
    at now: Int64,
    endsRun: Bool = false,
    _ command: (inout CountdownMachine, _ now: Int64) -> Countdown.State?
  ) -> Bool {
    finishEarlier(than: countdown, at: now)
    settle(countdown, at: now)
    // A countdown that was not running has not received the transition to the background.
    switch phase {
    case .unknown: break
    case .background: _ = countdown.machine.enterBackground(at: now)
    case .foreground: countdown.machine.enterForeground(at: now)
    }
    let former = countdown.machine.deadline
    let status = countdown.machine.visibleStatus
    if let state = command(&countdown.machine, now) {
      if endsRun { assignNumber(to: countdown) }
      log.note(countdown, from: status, starts: endsRun && state.status != .idle)
      report(state, of: countdown)
      let mayFinishThere = isInBackground && countdown.machine.behavior == .finishOnTime && !isEnded
      if mayFinishThere, let deadline = countdown.machine.deadline, endsRun || deadline != former {
        ends.insert(countdown)
      }
      // A command that changes nothing must not replace a tick that is due.
      schedule(countdown, at: now)
    }
    return hasWork
  }

  /// Continues a countdown from the state of another process.
  ///
  /// - Returns: As ``perform(on:at:endsRun:_:)`` does.
  mutating func restore(
    _ countdown: CountdownCore,
    from saved: Countdown.SavedState,
    at now: LifecycleInstant,
    boot: BootID?
  ) -> Bool {
    let (remaining, isClockTrusted) = saved.remaining(at: now, boot: boot)
    let now = now.continuous.timeSinceBoot.nanoseconds
    // As it was when it was saved, until the phase is known.
    if saved.isHeld { _ = countdown.machine.enterBackground(at: now) }
    return perform(on: countdown, at: now, endsRun: true) { machine, now in
      machine.restore(saved, remaining: remaining, isClockTrusted: isClockTrusted, at: now)
    }
  }

  /// Ends a countdown whose last owner has released it.
  ///
  /// - Returns: Whether there is a state to deliver, or the timer must be set; and the rows, which
  ///   the caller releases after it has released the lock.
  mutating func release(
    _ countdown: CountdownCore
  ) -> (hasWork: Bool, rows: ContiguousArray<FeatureRow<Countdown.State>>) {
    let status = countdown.machine.visibleStatus
    _ = countdown.machine.reset()
    countdown.isReleased = true
    log.note(countdown, from: status, isRelease: true)
    assignNumber(to: countdown)
    var rows = countdown.rows
    countdown.rows = []
    if !countdown.endRows.isEmpty {
      rows += countdown.endRows
      countdown.endRows = []
    }
    if !isEnded, !rows.isEmpty { deliveries.append(Delivery(rows: rows[...], state: nil)) }
    // The entry would keep the countdown alive, and the countdown would keep the queue alive.
    ticks.dropStale()
    ends.dropStale()
    return (hasWork, rows)
  }

  /// Gives a countdown the next number, so that entries and ticks of its earlier numbers are no
  /// longer valid.
  private mutating func assignNumber(to countdown: CountdownCore) {
    lastOrder += 1
    countdown.order = lastOrder
    countdown.wake = CountdownHeap.none
  }

  private var hasWork: Bool {
    mutating get {
      guard deliveries.isEmpty, returning.isEmpty else { return true }
      guard let earliest else { return alarm != nil }
      return alarm.map { earliest < $0 } ?? true
    }
  }

  /// Moves the ends of countdowns to dates after the wall clock was set. In the foreground, they
  /// are examined next.
  mutating func follow(wallOffset: Int64, at now: Int64) {
    // Halves, whose difference can't overflow.
    let shift = self.wallOffset.map { abs(wallOffset / 2 - $0 / 2) } ?? .max
    guard shift >= CountdownMachine.leastShift / 2 else { return }
    self.wallOffset = wallOffset
    let moved = (ticks.countdowns + returning).filter {
      $0.machine.follow(wallOffset: wallOffset)
    }
    guard isInBackground else {
      for countdown in moved { countdown.wake = CountdownHeap.none }
      return returning.append(contentsOf: inOrder(moved))
    }
    for countdown in moved {
      schedule(countdown, at: now)
      if countdown.machine.behavior == .finishOnTime { ends.insert(countdown) }
    }
  }

  // MARK: Subscribers

  /// Adds a subscriber, where the bus delivers.
  ///
  /// - Returns: The first state for the subscriber; whether it is the last one; whether there is
  ///   a state for others, or the timer must be set.
  mutating func join(
    _ row: FeatureRow<Countdown.State>,
    _ countdown: CountdownCore,
    at now: Int64
  ) -> (state: Countdown.State, isLast: Bool, hasWork: Bool) {
    // What is due is delivered to the other subscribers, not to this one.
    finishEarlier(than: countdown, at: now)
    let hasReturned = countdown.wake == CountdownHeap.none
    if !isInBackground, hasReturned || countdown.wake <= now {
      examine(countdown, at: now)
    } else {
      settle(countdown, at: now)
    }
    if !countdown.isReleased { countdown.rows.append(row) }
    return (countdown.machine.tick(at: now), countdown.isReleased, hasWork)
  }

  /// Adds a subscriber of the ends, where the bus delivers.
  ///
  /// - Returns: The end that no one has received yet, for the first subscriber; whether no other
  ///   one follows; whether there is a state for others, or the timer must be set.
  mutating func joinEnds(
    _ row: FeatureRow<Countdown.State>,
    _ countdown: CountdownCore,
    at now: Int64
  ) -> (end: Countdown.State?, isLast: Bool, hasWork: Bool) {
    finishEarlier(than: countdown, at: now)
    settle(countdown, at: now)
    // An end that others are about to receive is not this subscriber's.
    let isFirst = !countdown.endRows.contains { $0.isLive }
    let end = isFirst && countdown.machine.isEndPending ? self.end(of: countdown) : nil
    if !countdown.isReleased { countdown.endRows.append(row) }
    if end != nil { countdown.notifiedRows = Int32(clamping: countdown.endRows.count) }
    return (end, countdown.isReleased, hasWork)
  }

  /// Notes that a subscriber is no longer live, and removes such subscribers once they are half of
  /// all.
  mutating func leave(_ countdown: CountdownCore) {
    countdown.deadRows += 1
    guard 2 * countdown.deadRows >= countdown.rows.count else { return }
    countdown.rows.removeAll { !$0.isLive }
    countdown.deadRows = 0
  }

  /// Removes the subscribers of the ends that are no longer live.
  ///
  /// An end that was kept for them, and that no one has received, is sent to the others.
  ///
  /// - Returns: Whether there is a state to deliver.
  mutating func leaveEnds(_ countdown: CountdownCore) -> Bool {
    let notified = countdown.endRows.prefix(Int(countdown.notifiedRows)).count { $0.isLive }
    countdown.notifiedRows = Int32(clamping: notified)
    countdown.endRows.removeAll { !$0.isLive }
    guard notified == 0, countdown.machine.isEndPending else { return false }
    reportEnd(of: countdown)
    return hasWork
  }

  /// Notes that a subscriber receives the end of a run.
  mutating func noteReceipt(of run: Countdown.State.Run, _ countdown: CountdownCore) {
    if run.number == countdown.order { countdown.machine.didReceiveEnd() }
  }

  // MARK: The process

  mutating func enterBackground(at now: Int64) {
    guard !isInBackground else { return }
    phase = .background
    enteredBackground = now
    for countdown in returning where countdown.wake == CountdownHeap.none {
      schedule(countdown, at: now)
    }
    returning = []
    var held: [CountdownCore] = []
    for countdown in ticks.countdowns {
      switch countdown.machine.behavior {
      case .catchUp: break
      case .finishOnTime: ends.insert(countdown)
      case .pause: held.append(countdown)
      }
    }
    for countdown in inOrder(held) {
      settle(countdown, at: now)
      if let state = countdown.machine.enterBackground(at: now) {
        log.note(countdown, from: .running)
        report(state, of: countdown)
      }
      schedule(countdown, at: now)
    }
  }

  /// Queues the countdowns whose time has elapsed in the background, in the order of their ends.
  mutating func queueEnds(upTo now: Int64) {
    guard isInBackground else { return }
    let due = ticks.countdowns.filter { $0.machine.deadline.map { $0 <= now } ?? false }
    for countdown in due { countdown.wake = CountdownHeap.none }
    returning.append(contentsOf: inOrder(due))
  }

  mutating func enterForeground(at now: Int64) {
    guard phase != .foreground else { return }
    phase = .foreground
    ends.removeAll()
    // A path that is filled in may pass through the background without staying there.
    let hasStayed = enteredBackground != now
    var returned: [CountdownCore] = []
    for countdown in ticks.countdowns {
      let wasHeld = countdown.wake == CountdownHeap.never
      guard hasStayed || wasHeld else { continue }
      let status = countdown.machine.visibleStatus
      countdown.machine.enterForeground(at: now)
      log.note(countdown, from: status)
      countdown.wake = CountdownHeap.none
      returned.append(countdown)
    }
    if hasStayed { ticks.removeAll() }
    returning.append(contentsOf: inOrder(returned))
  }

  /// Ends all countdowns with the bus: subscribers no longer receive anything.
  mutating func end() {
    isEnded = true
    ticks.removeAll()
    ends.removeAll()
    deliveries = []
    current = nil
    reportingMoment = nil
    returning = []
    alarm = nil
  }

  // MARK: Delivery

  /// The subscriber that is receiving a state.
  private(set) var recipient: FeatureRow<Countdown.State>?

  /// Returns the next subscriber and the state that it is to receive, where the bus delivers: first
  /// the results of commands, then, in the order of their ends, the countdowns that have returned,
  /// then what is due, in the order of its moments.
  mutating func next(at now: Int64) -> (row: FeatureRow<Countdown.State>, state: Countdown.State?)?
  {
    reportingMoment = now
    while true {
      if current?.isOver == true { current = nil }
      if let row = current?.rows.popFirst() {
        recipient = row
        return (row, current?.state)
      }
      recipient = nil
      current = deliveries.popFirst()
      if current != nil { continue }
      guard let countdown = popReturning() ?? popDue(at: now) else { break }
      examine(countdown, at: now)
    }
    reportingMoment = nil
    return nil
  }

  /// Finishes the countdowns that ended before `countdown`, if its time has elapsed and it is
  /// accessed before its turn.
  private mutating func finishEarlier(than countdown: CountdownCore, at now: Int64) {
    let moment = reportingMoment ?? now
    while let deadline = countdown.machine.deadline, deadline <= moment,
      let earlier = popReturning() ?? popDue(at: moment)
    {
      examine(earlier, at: moment)
    }
  }

  private mutating func popReturning() -> CountdownCore? {
    while let countdown = returning.popFirst() {
      // Countdowns that were started again in the meantime have already been reported.
      if countdown.wake == CountdownHeap.none { return countdown }
    }
    return nil
  }

  private mutating func popDue(at now: Int64) -> CountdownCore? {
    guard !isInBackground else { return ends.popDue(at: now) }
    while let countdown = ticks.popDue(at: now) {
      let moment = countdown.machine.moment(dueSince: countdown.wake, at: now)
      if moment == countdown.wake { return countdown }
      // The tick is late: others may be due before the tick that replaces it.
      countdown.wake = moment
      ticks.insert(countdown)
    }
    return nil
  }

  /// Sets and returns the moment at which the timer is to fire, once no state is left to deliver;
  /// nil if it is not to be armed.
  mutating func setAlarm() -> Int64? {
    alarm = earliest
    return alarm
  }

  private var earliest: Int64? {
    mutating get { isInBackground ? ends.earliest : ticks.earliest }
  }

  /// The number of entries in the heaps, for tests.
  var entryCount: (ticks: Int, ends: Int) { (ticks.count, ends.count) }

  // MARK: Those who record the bus

  /// Notes the name of a new countdown.
  mutating func noteCreation(of countdown: CountdownCore, name: String) {
    log.add(ObjectIdentifier(countdown), name: name)
  }

  /// Calls `body`, and returns the changes of activities that it makes.
  ///
  /// - Parameter makeID: Returns the number of a new activity.
  mutating func recording<Result>(
    makeID: () -> Int,
    _ body: (inout Self) -> Result
  ) -> (result: Result, activities: [FlightActivity]) {
    log.begin()
    let result = body(&self)
    return (result, log.end(makeID: makeID))
  }

  // MARK: Helpers

  /// Handles a tick or an end whose time has come, or the return of the process.
  private mutating func examine(_ countdown: CountdownCore, at now: Int64) {
    if !settle(countdown, at: now), countdown.machine.isCounting {
      report(countdown.machine.tick(at: now), of: countdown, isTick: true)
    }
    schedule(countdown, at: now)
  }

  /// Records the end, if it has been reached.
  @discardableResult
  private mutating func settle(_ countdown: CountdownCore, at now: Int64) -> Bool {
    // After the end of the bus, there is no list of those that run.
    if isEnded, let wallOffset { _ = countdown.machine.follow(wallOffset: wallOffset) }
    guard countdown.machine.settle(at: now) else { return false }
    log.note(countdown, from: .running)
    countdown.wake = CountdownHeap.none
    report(countdown.machine.state(at: now), of: countdown)
    return true
  }

  private mutating func report(
    _ state: Countdown.State,
    of countdown: CountdownCore,
    isTick: Bool = false
  ) {
    guard !isEnded else { return }
    if !countdown.rows.isEmpty {
      let tick = isTick ? (countdown, countdown.order) : nil
      deliveries.append(Delivery(rows: countdown.rows[...], state: state, tick: tick))
    }
    if state.status == .finished, countdown.machine.isEndPending { reportEnd(of: countdown) }
  }

  private mutating func reportEnd(of countdown: CountdownCore) {
    guard !isEnded else { return }
    countdown.notifiedRows = Int32(clamping: countdown.endRows.count)
    guard !countdown.endRows.isEmpty else { return }
    deliveries.append(Delivery(rows: countdown.endRows[...], state: end(of: countdown)))
  }

  /// Returns the end of the run that has finished.
  private func end(of countdown: CountdownCore) -> Countdown.State {
    var end = countdown.machine.state(at: 0)
    end.run.number = countdown.order
    return end
  }

  /// Gives the countdown the entry that it needs.
  private mutating func schedule(_ countdown: CountdownCore, at now: Int64) {
    let wake = isEnded ? CountdownHeap.none : countdown.machine.wake(after: now)
    guard wake != countdown.wake else { return }
    countdown.wake = wake
    if wake != CountdownHeap.none { ticks.insert(countdown) }
  }

  private func inOrder(_ countdowns: [CountdownCore]) -> [CountdownCore] {
    countdowns.sorted {
      ($0.machine.deadline ?? CountdownHeap.never, $0.order)
        < ($1.machine.deadline ?? CountdownHeap.never, $1.order)
    }
  }
}
