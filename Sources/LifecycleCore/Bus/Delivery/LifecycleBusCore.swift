package import LifecycleSupport

/// The part that both kinds of bus have in common. Opaque: it has no public members.
///
/// It consists of the dispatch machine under its lock, and the loop that performs the machine's
/// steps.
///
/// The path of an event:
///
/// 1. *Accept*, under the lock. The phase machine determines the events that an input becomes, and
///    they are queued. An input that changes nothing becomes a `SuppressedInput` there. The taps,
///    such as that of a `FlightRecorder`, are notified here; they are no rows.
/// 2. *Take the right to deliver*, in the same critical section, if the bus delivers where the
///    caller is, and no thread has that right. Otherwise the thread that has it delivers the event
///    in its turn, or a hop to where the bus delivers takes it. An event that need not wait skips
///    the queue: it is handed out as an `ImmediateDelivery`.
/// 3. *Perform a step*, without the lock: call each row that the event is for, one after the other;
///    start, finish and clear rows; make the calls that wait for their turn.
/// 4. *Advance*, under the lock: take the next step, until nothing waits. The right is given back
///    in the critical section that finds nothing.
///
/// The path begins in `LifecycleBusProtocol.send`, or for a source in `LifecycleFeed.send`. It ends
/// in a row's `receive`. `ClosureRow`, `OwnerRow` and `OpeningClosureRow` call a closure.
/// `ListenerRow` calls a `BusListener`, for example `BusForwarder`, which sends to the core of a
/// child bus. `EventRow` and similar rows offer the value to a subscriber (`SubscriberRow`), for
/// example a `sink`.
///
/// The guards of the state:
///
/// - Everything in `DispatchMachine`: the lock.
/// - The contents of a row (closure, subscriber, buffer): the right to deliver. After the row's
///   end, they belong to the thread that clears the row.
/// - `ObserverRow.isLive`: atomic. The end of a row takes effect at once, on every thread.
/// - `runningIndex`: written by the thread that delivers, which resets it before it takes the lock
///   to end the step. Read under the lock, it is the index of one of the machine's running rows,
///   or -1.
/// - `deliverer`: written by the thread that begins to deliver, before it releases the lock under
///   which a row begins to run, and meaningful while one runs.
/// - `tapIndicator`: written under the lock, read by those who would otherwise prepare a note in
///   vain.
/// - `attachments`: a separate lock. `context` and `clock` do not change.
///
/// Observers, subscriptions and sources keep the core alive, never the bus: the streams end when
/// the bus is released. A live row is held by its table and by its scope or handle, and holds the
/// core. The end of the row cuts this cycle: `cancel(_:)` by its scope or handle, `finish` by the
/// end of the bus.
public final class LifecycleBusCore: Sendable {
  package let clock: any LifecycleClock
  let context: DeliveryContext
  /// Indicates whether the bus has taps.
  package let tapIndicator = SharedFlag()
  private let machine = Locked(DispatchMachine())
  private let runningIndex = Atomic(-1)
  private let deliverer = Atomic(0)
  private let lastActivity = Atomic(0)
  private let attachments = Attachments()

  init(context: DeliveryContext, clock: any LifecycleClock) {
    self.context = context
    self.clock = clock
    if case .mainActor = context { machine.withLock { $0.leavesRest = true } }
  }

  /// A Boolean value that indicates whether waiting on the calling thread for a delivery would
  /// never end.
  var deliversOnlyHere: Bool { context.isOnlyHere }

  // MARK: Inputs

  /// Sends an input that the program itself reports.
  @usableFromInline
  func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant?,
    metadata: [String: String]
  ) -> LifecycleSendResult {
    send(
      PhaseMachine.Input(
        kind: kind,
        origin: .manual,
        instant: instant ?? clock.now,
        metadata: metadata
      )
    )
  }

  func send(_ input: PhaseMachine.Input) -> LifecycleSendResult {
    let isHere = context.isHere
    let acceptance = machine.withLock { machine in
      let acceptance = machine.accept(input, isHere: isHere)
      if acceptance.immediate != nil { noteDeliverer() }
      return acceptance
    }
    let reason = acceptance.reason
    let delivers = acceptance.delivers
    if acceptance.needsHop { hop() }
    if let immediate = acceptance.immediate {
      deliver(LifecycleEvent(input, immediate.move), to: immediate.recipients)
      let isDone = machine.withLock { $0.stopDelivering() }
      withExtendedLifetime(immediate) {}
      if !isDone { drain() }
    } else if delivers {
      drain()
    }
    return reason.map { .suppressed($0) } ?? (delivers ? .delivered : .queued)
  }

  /// Accepts an input now, and delivers it elsewhere than on a calling thread that has to wait.
  ///
  /// - Parameter completion: Called after the last observer of the input, or of its suppression; at
  ///   once if the source is disconnected.
  func send(
    _ input: PhaseMachine.Input,
    completion: @escaping @Sendable () -> Void
  ) -> LifecycleSendResult {
    let (reason, needsHop) = machine.withLock { machine in
      let reason = machine.accept(input)
      if reason != .disconnected { machine.addCall(completion) }
      return (reason, machine.needsHop())
    }
    if needsHop { hop() }
    if reason == .disconnected { completion() }
    return reason.map { .suppressed($0) } ?? .queued
  }

  /// Calls `first` in the turn of a row if the row is live then, sends a notice, and calls `last`.
  ///
  /// All three happen after everything that the bus has accepted before, with no other event in
  /// between. They happen before this method returns if the caller may deliver.
  package func send(
    _ kind: LifecycleEvent.Kind,
    metadata: [String: String],
    inTurnOf row: ObserverRow,
    after first: @escaping @Sendable () -> Void,
    before last: @escaping @Sendable () -> Void
  ) {
    let input = PhaseMachine.Input(
      kind: kind,
      origin: .manual,
      instant: clock.now,
      metadata: metadata
    )
    machine.withLock { machine in
      machine.addCall(first, inTurnOf: row)
      machine.accept(input)
      machine.addCall(last)
    }
    deliverWaiting()
  }

  func connect(_ registration: PhaseAggregate.Registration) -> Int {
    let instant = clock.now
    return machine.withLock { $0.connect(registration, at: instant) }
  }

  /// Connects the first source of a participant; returns nil if there is one already.
  func connectNewParticipant(_ registration: PhaseAggregate.Registration) -> Int? {
    let instant = clock.now
    return machine.withLock {
      $0.hasSource(as: registration.role) ? nil : $0.connect(registration, at: instant)
    }
  }

  func disconnect(_ source: Int) {
    let instant = clock.now
    machine.withLock { $0.disconnect(source, at: instant) }
    deliverWaiting()
  }

  /// Delivers everything that was accepted, then ends the streams.
  func release() {
    let instant = clock.now
    machine.withLock { $0.release(at: instant) }
    deliverWaiting()
  }

  // MARK: Rows

  /// Registers an observer, and cancels a live one with an equal identity in the same step.
  func add(_ row: ObserverRow, catchUp: LifecycleCatchUp) {
    let registration = register(row, catchUp: catchUp)
    for replaced in registration.replaced { finishRemoval(of: replaced) }
    if registration.isTapped { noteJoining(of: row) }
    switch registration.outcome {
    case .added: break
    case .waiting: deliverWaiting()
    case .dead, .ended: row.cancel()
    }
    check(registration.sample)
  }

  private func register(
    _ row: ObserverRow,
    catchUp: LifecycleCatchUp
  ) -> DispatchMachine.Registration {
    guard let identity = row.identity else {
      return machine.withLock { $0.add(row, catchUp: catchUp) }
    }
    while true {
      let candidates = machine.withLock { $0.candidates(for: identity.key) }
      let same = candidates.filter { $0.identity?.isSame(as: identity) == true }
      let registration = machine.withLock {
        $0.add(row, catchUp: catchUp, replacing: same, among: candidates)
      }
      if let registration { return registration }
    }
  }

  /// Registers a listener or a subscriber. It starts before this method returns if it may be called
  /// here and now.
  ///
  /// - Parameter attach: Called after the row is registered, before it starts.
  package func listen(
    _ row: ObserverRow,
    catchUp: LifecycleCatchUp = .nothing,
    attach: () -> Void = {}
  ) {
    let registration = machine.withLock { $0.add(row, catchUp: catchUp) }
    attach()
    if registration.isTapped { noteJoining(of: row) }
    switch registration.outcome {
    case .added, .dead: break
    case .waiting: deliverWaiting()
    case .ended:
      machine.withLock { $0.addFinish(row, catchUp: catchUp) }
      deliverWaiting()
    }
    check(registration.sample)
  }

  /// Removes those observers whose owner is gone.
  private func check(_ sample: OwnerTable.Sample) {
    guard let first = sample.first else { return }
    guard context.isHere else {
      machine.withLock { $0.addCheck(sample) }
      return deliverWaiting()
    }
    first.leaveIfOrphaned()
    sample.second?.leaveIfOrphaned()
  }

  func scheduleFlush(of row: ObserverRow) {
    update { $0.addFlush(row) }
  }

  /// Calls `body` in the turn of a row: after everything accepted so far has been delivered, if the
  /// row is live then. Without a row, `body` is always called.
  package func perform(inTurnOf row: ObserverRow?, _ body: @escaping @Sendable () -> Void) {
    update { $0.addCall(body, inTurnOf: row) }
  }

  func cancel(_ row: ObserverRow) {
    if row.endLife() { finishRemoval(of: row) }
  }

  /// Finishes the removal of a row that has just become silent.
  private func finishRemoval(of row: ObserverRow) {
    let isHere = context.isHere
    // A tap that is added after this does not know the row.
    let instant = instantForTaps
    let removal = machine.withLock { $0.remove(row, clearingHere: isHere, at: instant) }
    switch removal.step {
    case .nothing: break
    case .clear: row.clear()
    case .hop: hop()
    }
    row.membership?.withdraw()
  }

  // MARK: Delivery

  /// Delivers the waiting work here if the caller may deliver, otherwise later.
  @inline(never)
  private func deliverWaiting() { update { _ in } }

  /// Adds work that often comes, in the critical section that begins to deliver it. What is rare
  /// calls `deliverWaiting()` instead: this takes as much code as the rest of such a method.
  @inline(__always)
  private func update(_ change: (inout DispatchMachine) -> Void) {
    let isHere = context.isHere
    let (delivers, needsHop) = machine.withLock { machine in
      change(&machine)
      return isHere ? (machine.startDelivering(), false) : (false, machine.needsHop())
    }
    if delivers { drain() }
    if needsHop { hop() }
  }

  /// Delivers the waiting work if only the caller may deliver now.
  package func deliverIfOnlyHere() {
    if deliversOnlyHere { deliverWaiting() }
  }

  /// A Boolean value that indicates whether the bus delivers on the main actor.
  package var deliversOnMainActor: Bool {
    if case .mainActor = context { true } else { false }
  }

  /// A Boolean value that indicates whether the calling thread is in a call of an observer.
  package var isCallingObserverHere: Bool {
    runningRow != nil && deliverer.load(ordering: .relaxed) == Self.currentThread
  }

  @inline(__always)
  private func noteDeliverer() { deliverer.store(Self.currentThread, ordering: .relaxed) }

  private static var currentThread: Int { Int(bitPattern: pthread_self()) }

  /// Delivers the waiting work later, where the bus delivers.
  private func hop() {
    context.run { [self] in
      let delivers = machine.withLock { machine in
        machine.hopArrived()
        return machine.startDelivering()
      }
      if delivers { drain() }
    }
  }

  /// Performs steps until nothing waits, or the rest is left to a hop; by then the right to deliver
  /// has been given back.
  private func drain() {
    noteDeliverer()
    guard var step = advance() else { return }
    while true {
      perform(step)
      // The step is released after that, as `Running` requires: it may hold its row's last
      // reference.
      guard let next = advance() else { return }
      step = next
    }
  }

  private func advance() -> DispatchMachine.Step? {
    while true {
      switch machine.withLock({ $0.advance() }) {
      case .clear(let rows): for row in rows { row.clear() }
      case .step(let next): return next
      }
    }
  }

  private func perform(_ step: borrowing DispatchMachine.Step) {
    switch step {
    case .prepare(let event, let rows):
      for index in rows.indices where rows[index].preparation == .wayDownAndReturn {
        prepare(rows[index], at: index, for: event)
      }
    case .deliver(let event, let recipients):
      deliver(event, to: recipients)
    case .publish(let input, let rows):
      for index in rows.indices where rows[index].isLive {
        runningIndex.store(index, ordering: .relaxed)
        rows[index].receive(input)
      }
    case .start(let row, let delivered, let catchUp):
      runningIndex.store(0, ordering: .relaxed)
      if row.isLive { row.start(after: delivered, catchUp: catchUp) }
    case .flush(let row):
      runningIndex.store(0, ordering: .relaxed)
      row.flush()
    case .finish(let rows, let endings):
      for index in rows.indices {
        runningIndex.store(index, ordering: .relaxed)
        rows[index].finish()
      }
      end(endings)
    case .clear(let row):
      row.clear()
    case .check(let sample):
      check(sample)
    case .call(let body, let row):
      if let row {
        guard row.isLive else { break }
        runningIndex.store(0, ordering: .relaxed)
      }
      body()
    case .hop:
      hop()
    }
    runningIndex.store(-1, ordering: .relaxed)
  }

  private func deliver(_ event: LifecycleEvent, to recipients: DispatchMachine.Recipients) {
    let rows = recipients.rows
    if event.phase < event.previousPhase {
      for index in rows.indices where rows[index].preparation != .none {
        prepare(rows[index], at: index, for: event)
      }
      for index in rows.indices.reversed() { call(rows[index], at: index, with: event) }
    } else {
      for index in rows.indices { call(rows[index], at: index, with: event) }
    }
    end(recipients.endings)
  }

  private func prepare(_ row: ObserverRow, at index: Int, for event: LifecycleEvent) {
    guard receives(row, event) else { return }
    runningIndex.store(index, ordering: .relaxed)
    row.prepare(for: event)
  }

  @inline(__always)
  private func call(_ row: ObserverRow, at index: Int, with event: LifecycleEvent) {
    guard receives(row, event) else { return }
    runningIndex.store(index, ordering: .relaxed)
    row.receive(event)
  }

  @inline(__always)
  private func receives(_ row: ObserverRow, _ event: LifecycleEvent) -> Bool {
    row.kinds.contains(event.kind) && row.isLive
  }

  /// Ends the scopes that end after the last row was called.
  @inline(__always)
  private func end(_ endings: [ScopeEnding]) {
    runningIndex.store(-1, ordering: .relaxed)
    for ending in endings { ending.scope.end() }
  }

  // MARK: Scopes that end at an event, and with the bus

  func addEnding(_ ending: ScopeEnding, unlessMet condition: LifecyclePhase.Condition?) -> Int? {
    machine.withLock { $0.addEnding(ending, unlessMet: condition) }
  }

  func removeEnding(_ id: Int) {
    // It may release objects that belong to the caller.
    machine.discard { $0.removeEnding(id) }
  }

  // MARK: Reports

  /// Reads the state under the lock.
  @inline(__always)
  func read<Result: Sendable>(_ body: (borrowing DispatchMachine) -> Result) -> Result {
    machine.withLock { body($0) }
  }

  /// The row that is being called; nil when none is.
  var runningRow: ObserverRow? {
    machine.withLock { $0.runningRow(at: runningIndex.load(ordering: .relaxed)) }
  }

  var snapshot: DispatchMachine.Snapshot {
    machine.withLock { $0.snapshot(running: runningIndex.load(ordering: .relaxed)) }
  }

  // MARK: Taps

  package func addTap(_ tap: any BusTap) {
    let instant = clock.now
    machine.withLock {
      $0.addTap(tap, at: instant)
      tapIndicator.set(true)
    }
  }

  package func removeTap(_ tap: any BusTap) {
    machine.discard { machine in
      defer { tapIndicator.set(machine.hasTaps) }
      return machine.removeTap(tap)
    }
  }

  /// Notes that an observer has joined. Called by the thread that registers it, before it is called
  /// here.
  private func noteJoining(of row: ObserverRow) {
    // The owner of a row is looked at outside the lock: it may be released then.
    guard row.isListed else { return }
    let location = row.location
    let instant = clock.now
    machine.withLock { $0.noteJoining(of: row, location, at: instant) }
  }

  /// The present instant, for the notes of a feature above the core; nil if the bus has no taps,
  /// and nothing is to be noted.
  package var instantForTaps: LifecycleInstant? {
    tapIndicator.isOn ? clock.now : nil
  }

  /// Returns a number for an activity, which no other activity of the bus has.
  package func makeActivityID() -> Int {
    lastActivity.add(1, ordering: .relaxed).newValue
  }

  /// Notes a change of an activity. May be called with a lock of the feature held.
  package func note(_ activity: FlightActivity, at instant: LifecycleInstant) {
    machine.withLock { $0.note(.activity(activity), at: instant) }
  }

  /// Notes that a deadline for the observers of an event has passed.
  ///
  /// - Returns: The observer that is running.
  package func noteOverrun(of kind: LifecycleEvent.Kind) -> LifecycleObserverLocation? {
    let running = runningObserver
    if let instant = instantForTaps {
      let location = LifecycleObserverLocation(
        scope: running?.scope,
        fileID: running?.fileID,
        line: running?.line
      )
      machine.withLock { $0.note(.overrun(kind, location), at: instant) }
    }
    return running
  }

  // MARK: Attachments

  /// Returns the object of a type that a feature has attached to the bus, which does not keep it
  /// alive. Makes it if there is none; of two that are made at once, one is used.
  ///
  /// - Parameter start: Called with an object that is used from then on.
  package func attachment(
    _ type: ObjectIdentifier,
    _ make: (LifecycleBusCore) -> any AnyObject & Sendable,
    start: (any AnyObject & Sendable) -> Void
  ) -> any AnyObject & Sendable {
    if let object = attachments.object(type) { return object }
    let made = make(self)
    let object = attachments.add(made, as: type)
    if object === made { start(made) }
    return object
  }
}
