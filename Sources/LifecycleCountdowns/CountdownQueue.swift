import LifecycleCore
import LifecycleSupport

/// All countdowns of a bus, protected by a lock.
///
/// Countdowns keep the queue alive; the queue keeps the core of the bus alive.
package final class CountdownQueue: Sendable {
  let bus: LifecycleBusCore
  private let machine: Locked<CountdownQueueMachine>
  private let row: ListenerRow
  private let alarm: Alarm
  /// Indicates whether the bus is recorded.
  private let taps: SharedFlag
  /// Indicates whether a countdown may count to a date.
  private let hasDates = SharedFlag()

  private init(bus: LifecycleBusCore) {
    self.bus = bus
    taps = bus.tapIndicator
    machine = Locked(CountdownQueueMachine(phase: bus.phase))
    row = ListenerRow(
      ownedOn: bus,
      kinds: [
        .didFinishLaunching, .willEnterForeground, .didEnterBackground, .willTerminate,
        .significantTimeChange,
      ],
      site: nil,
      preparation: .wayDownAndReturn
    )
    alarm = Alarm(bus.clock)
    row.setOwner(self) { [weak self] in self?.recipient?.location }
  }

  deinit {
    row.cancel()
  }

  /// Returns the queue of a bus.
  static func of(_ bus: LifecycleBusCore) -> CountdownQueue {
    let queue = bus.attachment(ObjectIdentifier(CountdownQueue.self), CountdownQueue.init) {
      bus.listen(($0 as! CountdownQueue).row)
    }
    return queue as! CountdownQueue
  }

  // MARK: Any thread

  func state(of countdown: CountdownCore) -> Countdown.State {
    // It changes nothing, and so delivers nothing.
    guard !hasDates.isOn else {
      let now = bus.clock.now
      return machine.withLock { _ in
        var machine = countdown.machine
        _ = machine.follow(wallOffset: now.wallOffset)
        return machine.state(at: now.continuous.timeSinceBoot.nanoseconds)
      }
    }
    let now = now
    return machine.withLock { _ in countdown.machine.state(at: now) }
  }

  func savedState(of countdown: CountdownCore) -> Countdown.SavedState {
    let now = bus.clock.now
    let boot = bus.clock.bootID
    let isInForeground = bus.phase.isForeground
    return machine.withLock { _ in
      var machine = countdown.machine
      _ = machine.follow(wallOffset: now.wallOffset)
      return machine.savedState(at: now, boot: boot, isInForeground: isInForeground)
    }
  }

  func start(_ countdown: CountdownCore, until date: Int64) {
    hasDates.set(true)
    let offset = bus.clock.now.wallOffset
    perform(on: countdown, endsRun: true) { $0.start(until: date, wallOffset: offset, at: $1) }
  }

  func restore(
    _ countdown: CountdownCore,
    from saved: Countdown.SavedState,
    lastSignOfLife: LifecycleInstant?
  ) {
    if saved.deadline?.date != nil { hasDates.set(true) }
    let now = bus.clock.now
    let boot = bus.clock.bootID
    var saved = saved
    if let lastSignOfLife, countdown.machine.behavior == .pause {
      saved.hold(at: lastSignOfLife, boot: boot)
    }
    let hasWork = recording { $0.restore(countdown, from: saved, at: now, boot: boot) }
    if hasWork { requestTurn() }
  }

  func perform(
    on countdown: CountdownCore,
    endsRun: Bool = false,
    _ command: @Sendable (inout CountdownMachine, _ now: Int64) -> Countdown.State?
  ) {
    let now = now
    // Two closures: one that is used in two places is not inlined.
    let hasWork =
      taps.isOn
      ? record { $0.perform(on: countdown, at: now, endsRun: endsRun, command) }
      : machine.withLock { $0.perform(on: countdown, at: now, endsRun: endsRun, command) }
    if hasWork { requestTurn() }
  }

  func release(_ countdown: CountdownCore) {
    // The countdown may hold the last reference to the rows.
    let (hasWork, rows) = recording { $0.release(countdown) }
    withExtendedLifetime(rows) {}
    if hasWork { requestTurn() }
  }

  func leave(_ countdown: CountdownCore) {
    machine.withLock { $0.leave(countdown) }
  }

  func leaveEnds(_ countdown: CountdownCore) {
    if machine.withLock({ $0.leaveEnds(countdown) }) { requestTurn() }
  }

  /// Notes that a subscriber receives an end.
  func noteReceipt(of end: Countdown.State, _ countdown: CountdownCore) {
    machine.withLock { $0.noteReceipt(of: end.run, countdown) }
  }

  private var recipient: FeatureRow<Countdown.State>? {
    machine.withLock { $0.recipient }
  }

  /// The number of entries in the heaps, for tests.
  package var entryCount: (ticks: Int, ends: Int) { machine.withLock { $0.entryCount } }

  /// Delivers pending states, after what the bus has accepted so far: that may still move the
  /// process to the background.
  private func requestTurn() {
    bus.perform(inTurnOf: row) { [self] in takeTurn() }
  }

  // MARK: Where the bus delivers

  func join(
    _ row: FeatureRow<Countdown.State>,
    _ countdown: CountdownCore
  ) -> (state: Countdown.State, isLast: Bool) {
    let now = now
    let joined = recording { $0.join(row, countdown, at: now) }
    if joined.hasWork { requestTurn() }
    return (joined.state, joined.isLast)
  }

  func joinEnds(
    _ row: FeatureRow<Countdown.State>,
    _ countdown: CountdownCore
  ) -> (end: Countdown.State?, isLast: Bool) {
    let now = now
    let joined = recording { $0.joinEnds(row, countdown, at: now) }
    if joined.hasWork { requestTurn() }
    return (joined.end, joined.isLast)
  }

  private func move(to phase: LifecyclePhase, at instant: ContinuousInstant) {
    let instant = instant.timeSinceBoot.nanoseconds
    recording { machine in
      switch phase {
      case .unknown, .terminated: break
      case .background: machine.enterBackground(at: instant)
      default: machine.enterForeground(at: instant)
      }
    }
    requestTurn()
  }

  private func publish(at now: Int64) {
    while let (row, state) = recording({ $0.next(at: now) }) {
      if let state { row.publish(state) } else { row.finish() }
    }
  }

  private func takeTurn() {
    publish(at: now)
    // Also for what is due by now: an observer that takes longer over a tick than the interval to
    // the next one would otherwise occupy the thread until the countdown has finished.
    let deadline = machine.withLock { $0.setAlarm() }
    alarm.set(for: deadline.map { ContinuousInstant(timeSinceBoot: .nanoseconds($0)) }) {
      [weak self] in self?.requestTurn()
    }
  }

  /// The current moment, for which the ends of countdowns to dates are right.
  private var now: Int64 {
    guard hasDates.isOn else { return bus.clock.continuous.timeSinceBoot.nanoseconds }
    let now = bus.clock.now
    let moment = now.continuous.timeSinceBoot.nanoseconds
    machine.withLock { $0.follow(wallOffset: now.wallOffset, at: moment) }
    return moment
  }

  // MARK: Those who record the bus

  /// Notes the location where a countdown is created, if the bus is recorded.
  func noteCreation(of countdown: CountdownCore, _ fileID: StaticString, _ line: UInt) {
    guard taps.isOn else { return }
    machine.withLock { $0.noteCreation(of: countdown, name: "\(fileID):\(line)") }
  }

  /// Calls `body` under the lock. If the bus is recorded, notes which countdowns it changes.
  @inline(__always)
  private func recording<Result: Sendable>(
    _ body: (inout CountdownQueueMachine) -> Result
  ) -> Result {
    taps.isOn ? record(body) : machine.withLock { body(&$0) }
  }

  /// Calls `body` under the lock, and notes which countdowns it changes.
  @inline(never)
  private func record<Result: Sendable>(
    _ body: (inout CountdownQueueMachine) -> Result
  ) -> Result {
    // No clock is read under the lock.
    let instant = bus.clock.now
    return machine.withLock { machine in
      let (result, activities) = machine.recording(makeID: bus.makeActivityID, body)
      for activity in activities { bus.note(activity, at: instant) }
      return result
    }
  }
}

extension CountdownQueue: BusListener {
  func join(at delivered: DeliveredState) {
    move(to: delivered.phase, at: bus.clock.continuous)
  }

  /// Reports what was due before the event, in particular the ends while the process was away.
  func prepare(for event: LifecycleEvent) {
    // The instants of events come from callers.
    let moment = min(event.instant.continuous.timeSinceBoot.nanoseconds, now)
    machine.withLock { $0.queueEnds(upTo: moment) }
    publish(at: moment)
  }

  func receive(_ event: LifecycleEvent) {
    // A turn reads the wall clock.
    guard event.kind != .significantTimeChange else { return requestTurn() }
    move(to: event.phase, at: event.instant.continuous)
  }

  func busDidEnd() {
    // The old machine holds countdowns and rows.
    machine.discard { machine in
      let old = machine
      machine.end()
      return old
    }
    alarm.cancel()
  }
}

// MARK: The streams of a countdown

extension CountdownCore: FeatureStream {
  func join(_ row: FeatureRow<Countdown.State>) {
    let (state, isLast) = queue.join(row, self)
    row.offerFirst(state)
    if isLast { row.finish() }
  }

  func leave(_ row: FeatureRow<Countdown.State>) {
    queue.leave(self)
  }
}

/// The stream of a countdown's ends.
final class CountdownEnds: FeatureStream {
  private let countdown: CountdownCore

  init(of countdown: CountdownCore) {
    self.countdown = countdown
  }

  func join(_ row: FeatureRow<Countdown.State>) {
    let (end, isLast) = countdown.queue.joinEnds(row, countdown)
    if let end { row.publish(end) }
    if isLast { row.finish() }
  }

  func leave(_ row: FeatureRow<Countdown.State>) {
    countdown.queue.leaveEnds(countdown)
  }
}

// MARK: Activities

/// The countdowns of a bus as activities, for those who record the bus.
///
/// Each run of a countdown is an activity. Empty until someone records the bus; what it contains of
/// a countdown then remains until the countdown is released.
struct CountdownLog {
  /// A change of a countdown's status.
  struct Change {
    let countdown: ObjectIdentifier
    let from: Countdown.Status
    let to: Countdown.Status
    /// A Boolean value that indicates whether the countdown has started, possibly over.
    var starts = false
    var isRelease = false
  }

  private var names: [ObjectIdentifier: String] = [:]
  private var runs: [ObjectIdentifier: Int] = [:]
  /// The changes since `begin()`; nil while no one records them.
  private var changes: [Change]?

  mutating func begin() {
    changes = []
  }

  /// Returns what the changes since `begin()` are as changes of activities.
  ///
  /// - Parameter makeID: Returns the number of a new activity.
  mutating func end(makeID: () -> Int) -> [FlightActivity] {
    let changes = changes.take() ?? []
    return changes.flatMap { activities(for: $0, makeID: makeID) }
  }

  /// Notes a change of status, if someone records it.
  @inline(__always)
  mutating func note(
    _ countdown: CountdownCore,
    from status: Countdown.Status,
    starts: Bool = false,
    isRelease: Bool = false
  ) {
    if changes != nil {
      let change = Change(
        countdown: ObjectIdentifier(countdown),
        from: status,
        to: countdown.machine.visibleStatus,
        starts: starts,
        isRelease: isRelease
      )
      add(change)
    } else if isRelease {
      remove(ObjectIdentifier(countdown))
    }
  }

  @inline(never)
  private mutating func add(_ change: Change) {
    changes?.append(change)
  }

  /// Notes the name of a new countdown.
  mutating func add(_ countdown: ObjectIdentifier, name: String) {
    names[countdown] = name
  }

  /// Returns the changes of activities that a change of status is.
  mutating func activities(for change: Change, makeID: () -> Int) -> [FlightActivity] {
    let name = names[change.countdown, default: ""]
    let activities = Self.steps(of: change).map { step in
      if case .began = step { runs[change.countdown] = nil }
      let id = runs[change.countdown] ?? makeID()
      runs[change.countdown] = id
      if case .ended = step { runs[change.countdown] = nil }
      return FlightActivity(.countdown, id: id, name: name, step)
    }
    if change.isRelease { remove(change.countdown) }
    return activities
  }

  /// Forgets a countdown that is released.
  private mutating func remove(_ countdown: ObjectIdentifier) {
    guard !names.isEmpty || !runs.isEmpty else { return }
    names[countdown] = nil
    runs[countdown] = nil
  }

  private static func steps(of change: Change) -> [FlightActivity.Change] {
    let wasOpen = change.from.isOpen
    guard !change.starts else {
      let end: [FlightActivity.Change] = wasOpen ? [.ended("restarted")] : []
      return switch change.to {
      case .idle: end
      case .running: end + [.began]
      case .paused: end + [.began, .paused]
      case .finished: end + [.began, .ended("finished")]
      }
    }
    guard wasOpen, change.from != change.to else { return [] }
    return switch change.to {
    case .idle: [.ended(change.isRelease ? "released" : "reset")]
    case .running: [.resumed]
    case .paused: [.paused]
    case .finished: [.ended("finished")]
    }
  }
}

extension Countdown.Status {
  fileprivate var isOpen: Bool { self == .running || self == .paused }
}
