public import LifecycleCore
import LifecycleSupport

/// A host for background fetches where the system has none, as on Linux: it calls the handler at
/// the minimum interval, while the process runs.
///
/// ```swift
/// let scheduler = BackgroundFetchScheduler(of: bus)
/// fetches.connect(scheduler).store(in: scope)
/// fetches.setMinimumInterval(.seconds(900))
/// ```
///
/// The interval is counted from the beginning of the last fetch; before the first one, from the
/// moment when an interval was first set, or set again after nil. Another interval does not start
/// the count anew. A fetch begins only in the background, unless the limit allows otherwise. A
/// phase that the process only passes through, as it does the background at a launch to the
/// foreground, does not count. A fetch that became due in the foreground, or while the process was
/// stopped or the device asleep, begins as soon as possible, once, however many were missed, and
/// the next one is counted from it. Fetches that begin on time, within 0.1 s, do not drift. The
/// scheduler never overlaps its fetches: a fetch that is due while another one is under way begins
/// after it.
///
/// The release of the scheduler, and the end of the bus, cancel future fetches; a fetch that is
/// under way continues.
public final class BackgroundFetchScheduler: BackgroundFetchHost {
  /// The time between two fetches at an interval of zero.
  private static let shortestInterval = Duration.seconds(60)

  private let core: BackgroundFetchSchedule

  /// Creates a scheduler without a handler, which never fetches.
  ///
  /// - Parameters:
  ///   - bus: The bus that reports when the process is in the background, and whose clock is used.
  ///     It is not kept alive.
  ///   - limit: The foremost phase in which a fetch may begin: `active` for fetches at any time. An
  ///     `unknown` phase counts as `active`. A limit further back than `background` is reported at
  ///     the caller's line.
  ///   - deadline: The time available for each fetch.
  public init(
    of bus: some LifecycleBusProtocol,
    atMost limit: LifecyclePhase = .background,
    deadline: Duration = .seconds(30),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let site = CallSite(fileID, filePath, line, column)
    if limit < .background {
      site.report(
        """
        A scheduler that fetches at most in the phase \(limit) never fetches. Pass .background, or \
        .active to fetch at any time.
        """
      )
    }
    core = BackgroundFetchSchedule(bus: bus.core, limit: limit, deadline: deadline, madeAt: site)
  }

  deinit {
    core.end()
  }

  public func setMinimumInterval(_ interval: Duration?) {
    core.setInterval(interval.map { $0 > .zero ? $0 : Self.shortestInterval })
  }

  public func setFetchHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    core.setHandler(handler)
  }
}

/// A pure state machine that decides when a scheduler begins its fetches.
struct BackgroundFetchScheduleMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Begin a fetch, and call `finish` with this number.
    case begin(Int)
    /// Call `next` again at this time; nil for never.
    case wait(until: ContinuousInstant?)
  }

  /// The largest delay with which a fetch is still on time.
  static let tolerance = Duration.milliseconds(100)

  /// The minimum interval; nil for never.
  private var interval: Duration?
  /// The time when the last fetch began, or was due; without one, the time when the interval was
  /// set.
  private var last: ContinuousInstant?
  private var hasFetched = false
  private var running: Int?
  private var lastNumber = 0
  /// A Boolean value that indicates whether the phase allows a fetch, which also requires a
  /// handler.
  var isInPhase = false
  var hasHandler = false
  private var hasEnded = false

  mutating func setInterval(_ interval: Duration?, at now: ContinuousInstant) {
    if !hasFetched, self.interval == nil { last = now }
    self.interval = interval
  }

  mutating func next(at now: ContinuousInstant) -> Action {
    guard let interval, let last, isInPhase, hasHandler, running == nil, !hasEnded else {
      return .wait(until: nil)
    }
    let due = last + interval
    // The condition is not `now >= due`: once the clock has reached its limit, that would hold
    // again and again.
    guard now - last >= interval.clamped else { return .wait(until: due) }
    // Delays that are not due to the timer result in one fetch, from which the next one is counted.
    self.last = now - due > Self.tolerance ? now : due
    hasFetched = true
    lastNumber += 1
    running = lastNumber
    return .begin(lastNumber)
  }

  mutating func finish(_ number: Int) {
    if running == number { running = nil }
  }

  mutating func end() { hasEnded = true }
}

/// The implementation of a scheduler. Its fetches and its timer keep it alive, but they never keep
/// the scheduler alive.
private final class BackgroundFetchSchedule: Sendable {
  private struct State {
    var machine = BackgroundFetchScheduleMachine()
    var handler: (@Sendable (BackgroundFetchRequest) -> Void)?
  }

  private let bus: LifecycleBusCore
  private let limit: LifecyclePhase
  private let deadline: Duration
  private let row: ListenerRow
  private let alarm: Alarm
  private let state = Locked(State())

  init(bus: LifecycleBusCore, limit: LifecyclePhase, deadline: Duration, madeAt site: CallSite) {
    self.bus = bus
    self.limit = limit
    self.deadline = deadline
    // Timers may have been suspended while the device slept.
    let kinds = LifecycleEvent.Kinds.transitions.union([.systemDidWake])
    row = ListenerRow(ownedOn: bus, kinds: kinds, site: site)
    alarm = Alarm(bus.clock)
    row.setOwner(self)
    bus.listen(row)
  }

  // MARK: Any thread

  func setInterval(_ interval: Duration?) {
    let now = bus.clock.continuous
    state.withLock { $0.machine.setInterval(interval, at: now) }
    requestTurn()
  }

  func setHandler(_ handler: (@Sendable (BackgroundFetchRequest) -> Void)?) {
    state.discard { state in
      defer { state.handler = handler }
      state.machine.hasHandler = handler != nil
      return state.handler
    }
    requestTurn()
  }

  func end() {
    state.discard { state in
      state.machine.end()
      return state.handler.take()
    }
    alarm.end()
    row.cancel()
  }

  /// Checks the time where the bus delivers, after the events that it has accepted so far, which
  /// may still change the phase.
  private func requestTurn() {
    bus.perform(inTurnOf: row) { [self] in beginIfDue() }
  }

  // MARK: Where the bus delivers

  private func move(to phase: LifecyclePhase) {
    let reached = phase == .unknown ? .active : phase
    state.withLock { $0.machine.isInPhase = phase != .terminated && reached <= limit }
    // Not at once: the phase may be one that the process only passes through.
    requestTurn()
  }

  private func beginIfDue() {
    let now = bus.clock.continuous
    let (action, handler) = state.withLock { ($0.machine.next(at: now), $0.handler) }
    switch action {
    case .wait(let time): setTimer(for: time)
    case .begin(let number):
      setTimer(for: nil)
      let request = request(number, at: now)
      handler?(request)
    }
  }

  private func request(_ number: Int, at now: ContinuousInstant) -> BackgroundFetchRequest {
    let expiry = Alarm(bus.clock)
    let end: @Sendable () -> Void = { [self] in
      expiry.end()
      state.withLock { $0.machine.finish(number) }
      requestTurn()
    }
    let request = BackgroundFetchRequest(deadline: deadline) { _ in end() }
    // A request that is never completed does not delay the next one.
    expiry.set(for: now + deadline) {
      request.expire()
      end()
    }
    return request
  }

  private func setTimer(for time: ContinuousInstant?) {
    alarm.set(for: time) { [weak self] in self?.requestTurn() }
  }
}

extension BackgroundFetchSchedule: BusListener {
  func join(at delivered: DeliveredState) { move(to: delivered.phase) }

  func receive(_ event: LifecycleEvent) { move(to: event.phase) }

  func busDidEnd() { end() }
}
