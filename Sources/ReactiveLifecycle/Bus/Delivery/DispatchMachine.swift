import DequeModule

/// The state machine that decides what is delivered next, and to whom.
///
/// It calls no other code: each method returns what its caller has to do, or to release, after the
/// lock is given back.
struct DispatchMachine {
  /// Work that waits for its turn, in order of acceptance.
  private enum Work {
    case event(LifecycleEvent)
    case suppressed(SuppressedInput)
    case call(@Sendable () -> Void, inTurnOf: ObserverRow?)
    case release
  }

  /// Work that is done between two events, first come, first served.
  private enum RowTask {
    case start(ObserverRow, LifecycleCatchUp)
    case flush(ObserverRow)
    case finish([ObserverRow])
    case clear(ObserverRow)
    case check(OwnerTable.Sample)
  }

  private var phaseMachine = PhaseMachine()
  /// Empty except inside `accept`, whose closure would copy the input if it made events of moves.
  private var later: ContiguousArray<PhaseMachine.Move> = []
  private var work: Deque<Work> = []
  private var rowTasks: Deque<RowTask> = []
  /// Changed only here, and in the extension about observations.
  var observers = ObserverTable()
  private var suppressionObservers = ObserverTable()
  private var identities = IdentityTable()
  private var owners = OwnerTable()
  var observations = ObservationTable()
  private var endings = ScopeEndingTable()
  private var pendingRelease: ContiguousArray<ObserverRow> = []
  private var suppressedCounts: [SuppressedInput.Reason: Int] = [:]
  private var isReleased = false
  /// A Boolean value that indicates whether the streams have ended.
  private(set) var isFinished = false
  /// A Boolean value that indicates whether more is to be done when an observer joins than to add
  /// its row: the streams have ended, or observations are to be notified. One value, so that the
  /// others need only one test.
  var joinsSpecially = false

  /// The state after the last event that was delivered to the observers.
  private(set) var delivered = DeliveredState()
  /// The phases that the observers were notified of.
  private(set) var history = PhaseHistory()
  /// A Boolean value that indicates whether a thread has the right to deliver.
  private(set) var isDelivering = false
  private var isHopScheduled = false

  // MARK: Inputs

  /// Accepts an input, and takes the right to deliver if the caller may have it.
  ///
  /// - Parameter isHere: Whether the caller is where the bus delivers.
  mutating func accept(_ input: PhaseMachine.Input, isHere: Bool) -> Acceptance {
    let isIdle = isHere && !isDelivering && !isWaiting
    let (reason, first) = accept(input, queuesFirst: !isIdle)
    guard isHere else {
      return Acceptance(reason: reason, delivers: false, needsHop: needsHop())
    }
    guard let first else { return Acceptance(reason: reason, delivers: startDelivering()) }
    isDelivering = true
    let recipients = recordDelivery(first.kind, first.phase, first.sequenceNumber, input.instant)
    return Acceptance(
      delivers: true,
      immediate: ImmediateDelivery(move: first, recipients: recipients)
    )
  }

  /// Accepts an input whose events have to wait.
  ///
  /// - Returns: The reason why the input causes none.
  mutating func accept(_ input: PhaseMachine.Input) -> SuppressedInput.Reason? {
    accept(input, queuesFirst: true).reason
  }

  /// Accepts an input, and queues the moves it causes; the first one only if `queuesFirst` is true.
  @inline(__always)
  private mutating func accept(
    _ input: PhaseMachine.Input,
    queuesFirst: Bool
  ) -> (reason: SuppressedInput.Reason?, first: PhaseMachine.Move?) {
    guard !isReleased else {
      let reason: SuppressedInput.Reason =
        phaseMachine.isConnected(input.source) ? .terminated : .disconnected
      suppress(input, reason)
      return (reason, nil)
    }
    var first: PhaseMachine.Move?
    let reason = phaseMachine.accept(input.kind, from: input.source, at: input.instant) { move in
      if first == nil && !queuesFirst {
        first = move
      } else {
        later.append(move)
      }
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

  /// A Boolean value that indicates whether `willTerminate` was accepted, and may not have been
  /// delivered yet.
  var hasAcceptedTermination: Bool { phaseMachine.phase == .terminated }

  // MARK: Sources

  mutating func connect(_ registration: PhaseAggregate.Registration) -> Int {
    phaseMachine.connect(registration)
  }

  func hasSource(as role: LifecycleRole) -> Bool {
    phaseMachine.aggregate.hasSource(as: role)
  }

  /// Withdraws what the source reported, which may change the phase of the bus.
  mutating func disconnect(_ source: Int, at instant: LifecycleInstant) {
    phaseMachine.disconnect(source, at: instant) { move in
      guard !isReleased else { return }
      work.append(.event(LifecycleEvent(move, at: instant, origin: .synthesized)))
    }
  }

  mutating func suppress(
    _ input: PhaseMachine.Input,
    _ reason: SuppressedInput.Reason,
    isPublished: Bool = true
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

  func suppressedCount(_ reason: SuppressedInput.Reason) -> Int {
    suppressedCounts[reason, default: 0]
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
  mutating func release() {
    guard !isReleased else { return }
    isReleased = true
    work.append(.release)
  }

  // MARK: Observers

  /// Adds an observer.
  mutating func add(_ row: ObserverRow, catchUp: LifecycleCatchUp) -> Registration {
    guard !joinsSpecially, row.isLive else { return addSpecially(row, catchUp: catchUp) }
    return Registration(.added, sample: append(row, catchUp: catchUp))
  }

  @inline(never)
  private mutating func addSpecially(
    _ row: ObserverRow,
    catchUp: LifecycleCatchUp
  ) -> Registration {
    guard !isFinished, row.isLive else { return Registration(.rejected) }
    let sample = append(row, catchUp: catchUp)
    noteJoining(row)
    return Registration(.addedToObservations, sample: sample)
  }

  @inline(__always)
  private mutating func append(_ row: ObserverRow, catchUp: LifecycleCatchUp) -> OwnerTable.Sample {
    let sample = owners.sample()
    observers.append(row)
    if let row = row.withOwner { owners.append(row) }
    if catchUp != .nothing { rowTasks.append(.start(row, catchUp)) }
    return sample
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
    guard registration.outcome != .rejected else { return registration }
    registration.replaced = same.filter { $0.endLife() }
    identities.insert(row)
    return registration
  }

  /// Adds a subscriber, which starts with the current value of its stream. If the stream has ended,
  /// the subscriber then receives its completion.
  mutating func addSubscriber(_ row: ObserverRow, catchUp: LifecycleCatchUp) -> Subscription {
    guard row.isLive else { return Subscription(isWaiting: false) }
    let needsStart = row.startsWithValue || catchUp != .nothing
    if needsStart { rowTasks.append(.start(row, catchUp)) }
    switch row.table {
    case .events where !joinsSpecially: observers.append(row)
    case .suppressions where !isReleased: suppressionObservers.append(row)
    case .events where !isFinished:
      observers.append(row)
      noteJoining(row)
      return Subscription(isWaiting: true, sample: owners.sample())
    default:
      rowTasks.append(.finish([row]))
      return Subscription(isWaiting: true, sample: owners.sample())
    }
    return Subscription(isWaiting: needsStart, sample: owners.sample())
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
  /// - Parameter isHere: Whether the caller is there.
  @inline(__always)
  mutating func remove(_ row: ObserverRow, clearingHere isHere: Bool) -> Removal {
    let garbage: ContiguousArray<ObserverRow>
    switch row.table {
    case .events: garbage = observers.noteDead(row, isShared: isDelivering)
    case .suppressions: garbage = suppressionObservers.noteDead(row, isShared: isDelivering)
    case .observedEvents: return removeObserved(row, isHere)
    }
    return finishRemoval(of: row, garbage, clearingHere: isHere)
  }

  /// Removes a row whose leaving may have to be reported. The caller delivers the report.
  @inline(never)
  private mutating func removeObserved(_ row: ObserverRow, _ isHere: Bool) -> Removal {
    var removal = finishRemoval(of: row, noteLeaving(row), clearingHere: isHere)
    if removal.step == .clear {
      rowTasks.append(.clear(row))
      removal.step = .deliver
    }
    return removal
  }

  @inline(__always)
  private mutating func finishRemoval(
    of row: ObserverRow,
    _ garbage: ContiguousArray<ObserverRow>,
    clearingHere isHere: Bool
  ) -> Removal {
    identities.remove(row)
    if let row = row.withOwner { owners.remove(row) }
    if isDelivering {
      pendingRelease.append(row)
      return Removal(.nothing, garbage: garbage)
    }
    if isHere { return Removal(.clear, garbage: garbage) }
    rowTasks.append(.clear(row))
    return Removal(needsHop() ? .hop : .nothing, garbage: garbage)
  }

  var snapshot: Snapshot {
    Snapshot(
      phase: delivered.phase,
      aggregate: phaseMachine.aggregate,
      suppressedCounts: suppressedCounts,
      liveRows: liveRows,
      isDelivering: isDelivering
    )
  }

  var liveRows: [ObserverRow] {
    (observers.rows + suppressionObservers.rows).filter(\.isLive)
  }

  /// The number of rows, including those that are no longer live.
  var rowCount: Int { observers.rows.count + suppressionObservers.rows.count }

  /// The live observers whose identifier may be equal to the key's.
  func candidates(for key: ObserverIdentity.Key) -> [ObserverRow] {
    identities.candidates(for: key)
  }

  // MARK: Scopes that end at an event

  mutating func addEnding(_ ending: ScopeEnding) -> Int? {
    isFinished ? nil : endings.append(ending)
  }

  mutating func removeEnding(_ id: Int) -> ScopeEnding? {
    endings.remove(id)
  }

  // MARK: Delivery

  /// Returns whether the caller must schedule a hop to where the bus delivers, and records that
  /// hop.
  mutating func needsHop() -> Bool {
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
    return true
  }

  /// Gives up the right to deliver if no work is left.
  mutating func stopDelivering() -> Bool {
    guard !isWaiting, pendingRelease.isEmpty, !mustFinish else { return false }
    isDelivering = false
    return true
  }

  /// Ends the step in delivery and begins the next. The caller releases the step after it has given
  /// back the lock, so that nothing is released under the lock.
  mutating func advance() -> Next {
    guard pendingRelease.isEmpty else {
      defer { pendingRelease = [] }
      return .clear(pendingRelease)
    }
    return .step(nextStep())
  }

  private mutating func nextStep() -> Step? {
    if let rowTask = rowTasks.popFirst() { return step(rowTask) }
    if mustFinish { return .finish(finish(), endings.removeAll()) }
    switch work.popFirst() {
    case .event(let event):
      return .deliver(
        event,
        to: recordDelivery(event.kind, event.phase, event.sequenceNumber, event.instant)
      )
    case .suppressed(let input): return .publish(input, to: suppressionObservers.rows)
    case .call(let body, let row): return .call(body, inTurnOf: row)
    case .release:
      return .finish(finish() + suppressionObservers.removeAll(), endings.removeAll())
    case nil:
      isDelivering = false
      return nil
    }
  }

  private var isWaiting: Bool { !(work.isEmpty && rowTasks.isEmpty) }

  private var mustFinish: Bool { delivered.phase == .terminated && !isFinished }

  private func step(_ rowTask: RowTask) -> Step {
    switch rowTask {
    case .start(let row, let catchUp): .start(row, after: delivered, catchUp)
    case .flush(let row): .flush(row)
    case .finish(let rows): .finish(ContiguousArray(rows), [])
    case .clear(let row): .clear(row)
    case .check(let sample): .check(sample)
    }
  }

  /// Records an event that is about to be delivered, and returns its recipients.
  private mutating func recordDelivery(
    _ kind: LifecycleEvent.Kind,
    _ phase: LifecyclePhase,
    _ sequenceNumber: Int,
    _ instant: LifecycleInstant
  ) -> Recipients {
    if phase != delivered.phase { history.note(phase, at: instant.continuous) }
    delivered = DeliveredState(phase: phase, sequenceNumber: sequenceNumber, instant: instant)
    return Recipients(rows: observers.rows, endings: endings.endings(at: kind))
  }

  /// Records that the streams have ended, and returns the observers to notify of it.
  private mutating func finish() -> ContiguousArray<ObserverRow> {
    isFinished = true
    joinsSpecially = true
    owners.removeAll()
    return observers.removeAll()
  }
}
