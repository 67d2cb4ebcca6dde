import DequeModule
import LifecycleSupport

/// The state machine that decides what is delivered next, and to whom.
///
/// It calls no other code: each method returns what its caller has to do, or to release, after the
/// lock is given back.
struct DispatchMachine {
  private var phaseMachine = PhaseMachine()
  /// Empty except inside `accept`, whose closure would copy the input if it made events of moves.
  private var later: ContiguousArray<PhaseMachine.Move> = []
  private var work: Deque<Work> = []
  private var rowTasks: Deque<RowTask> = []
  private var observers = ObserverTable()
  private var suppressionObservers = ObserverTable()
  private var identities = IdentityTable()
  private var owners = OwnerTable()
  private var endings = ScopeEndingTable()
  private var pendingRelease: ContiguousArray<ObserverRow> = []
  private var suppressedCounts: [SuppressedInput.Reason: Int] = [:]
  private var isReleased = false
  private var taps = TapTable()
  /// A Boolean value that indicates whether the streams have ended.
  private(set) var isFinished = false
  /// The state after the last event that was delivered to the observers.
  private(set) var delivered = DeliveredState()
  /// The instant of the first phase that the observers were notified of.
  private(set) var launch: ContinuousInstant?
  /// The opening of the last `willEnterForeground` that was delivered to the observers.
  private var lastOpening: LifecycleOpening?
  /// The number of times that the observers were notified that it became active.
  private var activationCount = 0
  /// A Boolean value that indicates whether a thread has the right to deliver.
  private(set) var isDelivering = false
  private var isHopScheduled = false
  /// A Boolean value that indicates whether a row may prepare for returns.
  private var preparesForReturns = false
  /// A Boolean value that indicates whether the rows have prepared for the return that is next.
  private var isPrepared = false
  private var running = Running.none

  /// The number of steps by which what is added meanwhile may delay the work whose turn has come,
  /// and of additions by other threads that may delay the return of the thread that delivers.
  static let patience = 1_000
  /// The number of row tasks that may still come before the work whose turn has come; -1 if there
  /// is none.
  private var tasksBeforeWork = -1
  /// The number of times that rows were cleared since the last step.
  private var clearCount = 0
  /// The number of works and row tasks that waited when the delivering thread took that right.
  private var due = (work: 0, rowTasks: 0)
  /// The number of times that other threads have added something since.
  private var additionCount = 0
  /// A Boolean value that indicates whether the thread leaves the rest to a hop if they add too
  /// much, as on the main actor.
  var leavesRest = false

  // MARK: Inputs

  /// Accepts an input, and takes the right to deliver if the caller may have it.
  ///
  /// - Parameter isHere: Whether the caller is where the bus delivers.
  mutating func accept(_ input: PhaseMachine.Input, isHere: Bool) -> Acceptance {
    let mayPrepare = preparesForReturns && delivered.phase == .background
    let isIdle = isHere && !isDelivering && !isWaiting && !mayPrepare
    let (reason, first) = accept(input, queuesFirst: !isIdle)
    guard isHere else {
      return Acceptance(reason: reason, delivers: false, needsHop: needsHop())
    }
    guard let first else { return Acceptance(reason: reason, delivers: startDelivering()) }
    isDelivering = true
    let recipients = recordDelivery(
      of: first.kind,
      to: first.phase,
      number: first.sequenceNumber,
      after: first.backgroundStay,
      at: input.instant
    )
    return Acceptance(
      delivers: true,
      immediate: ImmediateDelivery(move: first, recipients: recipients)
    )
  }

  /// Accepts an input whose events have to wait.
  ///
  /// - Returns: The reason why the input causes none.
  @discardableResult
  mutating func accept(_ input: PhaseMachine.Input) -> SuppressedInput.Reason? {
    accept(input, queuesFirst: true).reason
  }

  /// - Parameter queuesFirst: Whether the first event is queued, too. Only an idle bus can deliver
  ///   it at once.
  /// - Returns: The reason why the input causes no event, and the move that was not queued.
  @inline(__always)
  private mutating func accept(
    _ input: PhaseMachine.Input,
    queuesFirst: Bool
  ) -> (reason: SuppressedInput.Reason?, first: PhaseMachine.Move?) {
    var first: PhaseMachine.Move?
    let reason: SuppressedInput.Reason?
    if isReleased {
      reason = phaseMachine.isConnected(input.source) ? .terminated : .disconnected
    } else {
      reason = phaseMachine.accept(input.kind, from: input.source, at: input.instant) { move in
        if first == nil { first = move } else { later.append(move) }
      }
    }
    if !taps.isEmpty { note(input, reason, first) }
    if queuesFirst, let move = first {
      work.append(.event(LifecycleEvent(input, move)))
      first = nil
    }
    if !later.isEmpty {
      for move in later { work.append(.event(LifecycleEvent(input, move))) }
      later.removeAll(keepingCapacity: true)
    }
    if let reason {
      // On an idle bus, no observer can join before the input would be published.
      suppress(input, reason, isPublished: queuesFirst || !suppressionObservers.rows.isEmpty)
    }
    return (reason, first)
  }

  /// Notes an input, and the moves that it causes, for the taps.
  @inline(never)
  private func note(
    _ input: PhaseMachine.Input,
    _ reason: SuppressedInput.Reason?,
    _ first: PhaseMachine.Move?
  ) {
    taps.note(input, reason)
    if let first { taps.note(first, by: input) }
    for move in later { taps.note(move, by: input) }
    if (later.last ?? first)?.phase == .terminated {
      taps.note(FlightRecord(.ended, at: input.instant))
    }
  }

  private mutating func suppress(
    _ input: PhaseMachine.Input,
    _ reason: SuppressedInput.Reason,
    isPublished: Bool
  ) {
    suppressedCounts[reason, default: 0] += 1
    guard isPublished else { return }
    work.append(
      .suppressed(
        SuppressedInput(
          kind: input.kind,
          reason: reason,
          origin: input.origin,
          instant: input.instant
        )
      )
    )
  }

  /// A Boolean value that indicates whether `willTerminate` was accepted, and may not have been
  /// delivered yet.
  var hasAcceptedTermination: Bool { phaseMachine.phase == .terminated }

  @inline(never)
  mutating func connect(
    _ registration: PhaseAggregate.Registration,
    at instant: LifecycleInstant
  ) -> Int {
    let source = phaseMachine.connect(registration)
    if !taps.isEmpty {
      taps.noteConnection(of: source, registration, in: phaseMachine.aggregate, at: instant)
    }
    return source
  }

  func hasSource(as role: LifecycleRole) -> Bool {
    phaseMachine.aggregate.hasSource(as: role)
  }

  /// Withdraws what the source reported, which may change the phase of the bus.
  mutating func disconnect(_ source: Int, at instant: LifecycleInstant) {
    if !taps.isEmpty { taps.noteDisconnection(of: source, in: phaseMachine.aggregate, at: instant) }
    phaseMachine.disconnect(source, at: instant) { move in
      guard !isReleased else { return }
      let event = LifecycleEvent(move, at: instant, origin: .synthesized)
      taps.note(FlightRecord(.event(event), at: instant))
      work.append(.event(event))
    }
  }

  /// Queues a call of `body` after everything accepted so far. If a row is given, the call happens
  /// in its turn, and only if the row is live then.
  mutating func addCall(
    _ body: @escaping @Sendable () -> Void,
    inTurnOf row: ObserverRow? = nil
  ) {
    work.append(.call(body, inTurnOf: row))
  }

  /// Ends the bus because it was released, or its parent has ended. Everything accepted is
  /// still delivered.
  mutating func release(at instant: LifecycleInstant) {
    guard !isReleased else { return }
    isReleased = true
    if !hasAcceptedTermination { taps.note(FlightRecord(.ended, at: instant)) }
    work.append(.release)
  }

  /// Adds the ending of a scope, unless the phase meets the condition. Before the launch it meets
  /// none.
  ///
  /// - Returns: The number of the ending; nil if the scope must end now.
  mutating func addEnding(
    _ ending: ScopeEnding,
    unlessMet condition: LifecyclePhase.Condition?
  ) -> Int? {
    let isMet = delivered.phase != .unknown && condition?.contains(delivered.phase) == true
    return isFinished || isMet ? nil : endings.append(ending)
  }

  mutating func removeEnding(_ id: Int) -> ScopeEnding? {
    endings.remove(id)
  }

  // MARK: Rows

  /// The live observers whose identifier may be equal to the key's.
  func candidates(for key: ObserverIdentity.Key) -> [ObserverRow] {
    identities.candidates(for: key)
  }

  /// Adds an observer or a subscriber, unless its stream has ended.
  @inline(__always)
  mutating func add(_ row: ObserverRow, catchUp: LifecycleCatchUp) -> Registration {
    guard row.isLive else { return Registration(outcome: .dead) }
    var registration = Registration(outcome: .added, sample: owners.sample())
    switch row.table {
    case .events where !isFinished:
      observers.append(row)
      if row.preparation == .wayDownAndReturn { preparesForReturns = true }
      if let row = row.withOwner { owners.append(row) }
      registration.isTapped = !taps.isEmpty
    case .suppressions where !isReleased:
      suppressionObservers.append(row)
    default:
      registration.outcome = .ended
      return registration
    }
    if catchUp != .nothing || row.startsWithValue {
      rowTasks.append(.start(row, catchUp))
      registration.outcome = .waiting
    }
    return registration
  }

  /// Adds an observer in place of others.
  ///
  /// - Returns: The registration; nil if the candidates are no longer those that `same` was chosen
  ///   from.
  mutating func add(
    _ row: ObserverRow,
    catchUp: LifecycleCatchUp,
    replacing same: [ObserverRow],
    among candidates: [ObserverRow]
  ) -> Registration? {
    guard let key = row.identity?.key,
      self.candidates(for: key).elementsEqual(candidates, by: ===)
    else { return nil }
    var registration = add(row, catchUp: catchUp)
    guard registration.outcome == .added || registration.outcome == .waiting else {
      return registration
    }
    registration.replaced = same.filter { $0.endLife() }
    identities.insert(row)
    return registration
  }

  /// Starts a subscriber of a stream that has ended, which then receives its completion.
  mutating func addFinish(_ row: ObserverRow, catchUp: LifecycleCatchUp) {
    if catchUp != .nothing || row.startsWithValue { rowTasks.append(.start(row, catchUp)) }
    rowTasks.append(.finish(row))
  }

  /// Schedules a check of the rows' owners, where the bus delivers.
  mutating func addCheck(_ sample: OwnerTable.Sample) {
    rowTasks.append(.check(sample))
  }

  mutating func addFlush(_ row: ObserverRow) {
    rowTasks.append(.flush(row))
  }

  /// Removes a row that is no longer live. Its contents are released where the bus delivers.
  ///
  /// - Parameters:
  ///   - isHere: Whether the caller is there.
  ///   - instant: The present instant, if the bus has taps.
  @inline(__always)
  mutating func remove(
    _ row: ObserverRow,
    clearingHere isHere: Bool,
    at instant: LifecycleInstant?
  ) -> Removal {
    if let instant { taps.noteLeaving(row, at: instant) }
    let garbage =
      row.table == .events
      ? observers.noteDead(row, isShared: isDelivering)
      : suppressionObservers.noteDead(row, isShared: isDelivering)
    identities.remove(row)
    if let row = row.withOwner { owners.remove(row) }
    if isDelivering {
      if !isHere { additionCount += 1 }
      pendingRelease.append(row)
      return Removal(step: .nothing, garbage: garbage)
    }
    if isHere { return Removal(step: .clear, garbage: garbage) }
    rowTasks.append(.clear(row))
    return Removal(step: needsHop() ? .hop : .nothing, garbage: garbage)
  }

  // MARK: Delivery

  private var isWaiting: Bool { !(work.isEmpty && rowTasks.isEmpty) }

  private var mustFinish: Bool { delivered.phase == .terminated && !isFinished }

  /// Returns whether the caller, which has added something elsewhere, must schedule a hop to where
  /// the bus delivers, and records that hop.
  mutating func needsHop() -> Bool {
    additionCount += 1
    guard !isDelivering, !isHopScheduled, isWaiting else { return false }
    isHopScheduled = true
    return true
  }

  mutating func hopArrived() {
    isHopScheduled = false
  }

  /// Takes the right to deliver, unless a thread has it already or nothing is waiting.
  mutating func startDelivering() -> Bool {
    guard !isDelivering, isWaiting else { return false }
    isDelivering = true
    noteDue()
    return true
  }

  private mutating func noteDue() {
    due = (work.count, rowTasks.count)
    additionCount = 0
  }

  /// Ends an immediate delivery, and gives up the right to deliver if no work is left. The caller
  /// releases the delivery after it has given back the lock.
  mutating func stopDelivering() -> Bool {
    running = .none
    guard !isWaiting, pendingRelease.isEmpty, !mustFinish else {
      noteDue()
      return false
    }
    isDelivering = false
    return true
  }

  /// Ends the step in delivery and begins the next. The caller releases the step after it has given
  /// back the lock, so that nothing is released under the lock.
  ///
  /// Other threads may add work, row tasks, and rows to clear as fast as they are done. That delays
  /// the work whose turn has come, and the return of the thread, by a limited number of steps. What
  /// the observers themselves add is done before the return.
  mutating func advance() -> Next {
    running = .none
    // What has left during a step is cleared after it.
    if leavesRest, additionCount >= Self.patience, due.work <= 0, due.rowTasks <= 0, !mustFinish,
      pendingRelease.isEmpty || clearCount > 0
    {
      return .step(passOn())
    }
    if !pendingRelease.isEmpty, clearCount < Self.patience || !isWaiting && !mustFinish {
      clearCount += 1
      defer { pendingRelease = [] }
      return .clear(pendingRelease)
    }
    clearCount = 0
    return .step(nextStep())
  }

  /// Leaves what waits to a hop, and gives up the right to deliver once one is scheduled.
  private mutating func passOn() -> Step? {
    for row in pendingRelease { rowTasks.append(.clear(row)) }
    pendingRelease = []
    guard isWaiting, !isHopScheduled else {
      isDelivering = false
      return nil
    }
    isHopScheduled = true
    return .hop
  }

  private mutating func nextStep() -> Step? {
    if tasksBeforeWork < 0, !work.isEmpty || mustFinish {
      tasksBeforeWork = rowTasks.count + Self.patience
    }
    if tasksBeforeWork != 0, let task = rowTasks.popFirst() {
      if tasksBeforeWork > 0 { tasksBeforeWork -= 1 }
      due.rowTasks -= 1
      return step(task)
    }
    tasksBeforeWork = -1
    if mustFinish { return finish() }
    due.work -= 1
    switch work.popFirst() {
    case .event(let event)
    where event.kind == .willEnterForeground && preparesForReturns && !isPrepared:
      isPrepared = true
      work.prepend(.event(event))
      due.work += 1
      return .prepare(event, keepStarted(observers.rows))
    case .event(let event):
      isPrepared = false
      var recipients = recordDelivery(
        of: event.kind,
        to: event.phase,
        number: event.sequenceNumber,
        after: event.backgroundStay,
        at: event.instant
      )
      if !rowTasks.isEmpty { recipients.rows = keepStarted(recipients.rows) }
      return .deliver(event, to: recipients)
    case .suppressed(let input):
      return .publish(input, to: keepStarted(suppressionObservers.rows))
    case .call(let body, let row):
      if let row { running = .row(row) }
      return .call(body, inTurnOf: row)
    case .release:
      return finish(suppressionObservers.removeAll())
    case nil:
      isDelivering = false
      return nil
    }
  }

  private mutating func step(_ task: RowTask) -> Step {
    switch task {
    case .start(let row, let catchUp):
      running = .row(row)
      return .start(row, after: delivered, catchUp)
    case .flush(let row):
      running = .row(row)
      return .flush(row)
    case .finish(let row):
      running = .row(row)
      return .finish([row], [])
    case .clear(let row): return .clear(row)
    case .check(let sample): return .check(sample)
    }
  }

  /// Records the rows as running, without those that wait for their start: they registered after
  /// the turn of the work had come, and start after it.
  private mutating func keepStarted(
    _ rows: ContiguousArray<ObserverRow>
  ) -> ContiguousArray<ObserverRow> {
    var waiting: Set<ObjectIdentifier> = []
    for case .start(let row, _) in rowTasks { waiting.insert(ObjectIdentifier(row)) }
    let started = waiting.isEmpty ? rows : rows.filter { !waiting.contains(ObjectIdentifier($0)) }
    running = .rows(started)
    return started
  }

  /// Records an event that is about to be delivered, and the opening that it is, if it is one.
  ///
  /// - Returns: The recipients of the event.
  private mutating func recordDelivery(
    of kind: LifecycleEvent.Kind,
    to phase: LifecyclePhase,
    number sequenceNumber: Int,
    after stay: BackgroundStay?,
    at instant: LifecycleInstant
  ) -> Recipients {
    if launch == nil, phase != .unknown { launch = instant.continuous }
    delivered.phase = phase
    delivered.sequenceNumber = sequenceNumber
    delivered.instant = instant
    if kind == .willEnterForeground {
      lastOpening = LifecycleOpening(
        number: (lastOpening?.number ?? 0) + 1,
        after: stay,
        at: instant,
        launchedAt: launch
      )
      activationCount = 0
    } else if kind == .didBecomeActive {
      activationCount += 1
    } else if kind == .protectedDataWillBecomeUnavailable {
      delivered.isProtectedDataAvailable = false
    } else if kind == .protectedDataDidBecomeAvailable {
      delivered.isProtectedDataAvailable = true
    }
    running = .rows(observers.rows)
    return Recipients(rows: observers.rows, endings: endings.endings(at: kind))
  }

  /// The last opening; nil unless the delivered phase is in the foreground.
  var opening: LifecycleOpening? { delivered.phase.isForeground ? lastOpening : nil }

  /// Returns the opening that an observer receives at an event; nil if it receives none.
  ///
  /// To catch up, an observer is given the whole path to the phase, which has a
  /// `willEnterForeground` if the phase is in the foreground.
  func opening(of event: LifecycleEvent, _ filter: OpeningFilter) -> LifecycleOpening? {
    guard let opening else { return nil }
    let isDue =
      if event.kind == .didBecomeActive {
        activationCount == 1 && event.origin != .catchUp
      } else {
        filter.moment == .visible || activationCount > 0
      }
    return isDue && filter.admits(opening) ? opening : nil
  }

  /// Records that the streams have ended.
  private mutating func finish(_ others: ContiguousArray<ObserverRow> = []) -> Step {
    isFinished = true
    owners.removeAll()
    let rows = keepStarted(observers.removeAll() + others)
    for case .start(let row, _) in rowTasks { rowTasks.append(.finish(row)) }
    return .finish(rows, endings.removeAll())
  }

  // MARK: Taps

  var hasTaps: Bool { !taps.isEmpty }

  mutating func addTap(_ tap: any BusTap, at instant: LifecycleInstant) {
    taps.append(tap, to: phaseMachine, at: instant)
  }

  /// Returns the tap, for the caller to release outside the lock.
  mutating func removeTap(_ tap: any BusTap) -> (any BusTap)? {
    taps.remove(tap)
  }

  /// Notes that an observer has joined, unless it has left already.
  mutating func noteJoining(
    of row: ObserverRow,
    _ location: LifecycleObserverLocation,
    at instant: LifecycleInstant
  ) {
    if !taps.isEmpty, row.isLive { taps.noteJoining(row, location, at: instant) }
  }

  func note(_ content: FlightRecord.Content, at instant: LifecycleInstant) {
    taps.note(FlightRecord(content, at: instant))
  }

  // MARK: Reports

  /// The row with that index among those of the step in delivery.
  func runningRow(at index: Int) -> ObserverRow? {
    switch running {
    case .row(let row) where index == 0: row
    case .rows(let rows) where rows.indices.contains(index): rows[index]
    default: nil
    }
  }

  /// The number of the event that rows are being called with; nil if a single row catches up, or
  /// receives what has waited.
  var sequenceNumberInDelivery: Int? {
    if case .rows = running { delivered.sequenceNumber } else { nil }
  }

  var liveRows: [ObserverRow] {
    (observers.rows + suppressionObservers.rows).filter(\.isLive)
  }

  /// The number of rows, including those that are no longer live.
  var rowCount: Int { observers.rows.count + suppressionObservers.rows.count }

  /// - Parameter index: The index of the row that is being called.
  func snapshot(running index: Int) -> Snapshot {
    Snapshot(
      phase: delivered.phase,
      aggregate: phaseMachine.aggregate.unsharedForSanitizer,
      suppressedCounts: suppressedCounts.unsharedForSanitizer,
      liveRows: liveRows,
      isDelivering: isDelivering,
      runningRow: runningRow(at: index)
    )
  }
}
