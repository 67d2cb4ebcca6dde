import LifecycleSupport
import Synchronization

/// The part that both kinds of bus have in common. Opaque: it has no public members.
///
/// It is the dispatch machine under its lock, and the loop that does what the machine says.
///
/// How an event travels:
///
/// 1. *Accept*, under the lock. The phase machine says which events an input becomes; they are put
///    in the queue. An input that changes nothing becomes a `SuppressedInput` there.
/// 2. *Take the right to deliver*, in the same critical section, if the bus delivers where the
///    caller is, and nobody has that right. Otherwise whoever has it delivers the event in its
///    turn, or a hop to where the bus delivers takes it. An event that has nothing to wait for skips
///    the queue: it is handed out as an `ImmediateDelivery`.
/// 3. *Perform a step*, without the lock: call each row that the event is for, one after the other;
///    start, finish and clear rows; call what waits for its turn.
/// 4. *Advance*, under the lock: the next step, until nothing waits. The right is given back in the
///    critical section that finds nothing.
///
/// It begins in `LifecycleBusProtocol.send`, or for a source in `LifecycleFeed.send`. It ends in a
/// row's `receive`: `ClosureRow`, `OwnerRow` and `ReturnRow` call a closure, `ListenerRow` a
/// `BusListener` (`BusForwarder`, which sends to the core of a child bus, among others), and `EventRow` and its like offer the value to a subscriber (`SubscriberRow`), a
/// `sink` among others.
///
/// Who guards what:
///
/// - Everything in `DispatchMachine`: the lock.
/// - What a row holds (closure, subscriber, buffer): the right to deliver. After the row's end, it
///   belongs to whoever clears the row.
/// - `ObserverRow.isLive`: atomic. The end of a row counts at once, on every thread.
/// - `running`: written by the thread that delivers, read under the lock.
/// - `attachments`: a lock of their own. `context` and `clock` do not change.
///
/// Observers, subscriptions and sources keep the core alive, never the bus: the streams end when
/// the bus is released.
public final class LifecycleBusCore: Sendable {
  package let clock: any LifecycleClock
  let context: DeliveryContext
  let machine = Locked(DispatchMachine())
  /// The observer that is being called. It is set and reset by the thread that delivers, which keeps
  /// the row alive until it has taken the lock after that.
  let running = Atomic<Unmanaged<ObserverRow>?>(nil)

  private let attachments = Locked(WeakAttachments())

  init(context: DeliveryContext, clock: any LifecycleClock) {
    self.context = context
    self.clock = clock
  }

  /// What a feature has attached to the bus: one object of each type, which the bus does not keep
  /// alive.
  ///
  /// Not generic: generic functions of another module are not specialized.
  ///
  /// - Parameters:
  ///   - type: Of the objects that `make` makes.
  ///   - make: Makes the object when there is none. Of two that are made at once, one is used.
  ///   - start: Called with an object that is used from then on.
  package func attachment(
    _ type: ObjectIdentifier,
    _ make: (LifecycleBusCore) -> any AnyObject & Sendable,
    start: (any AnyObject & Sendable) -> Void
  ) -> any AnyObject & Sendable {
    if let object = attachments.withLock({ $0[type] }) { return object }
    // It may ask the clock: no lock may be held.
    let made = make(self)
    let object = attachments.withLock { attachments in
      if let object = attachments[type] { return object }
      attachments.insert(made, as: type)
      return made
    }
    if object === made { start(made) }
    return object
  }

  /// Whether waiting for a delivery on the calling thread would wait for ever.
  var deliversOnlyHere: Bool { context.isOnlyHere }

  // MARK: Inputs

  /// Sends an input of the program's own.
  @usableFromInline
  func send(
    _ kind: LifecycleEvent.Kind,
    at instant: LifecycleInstant?,
    metadata: [String: String]
  ) -> LifecycleSendOutcome {
    send(
      PhaseMachine.Input(
        kind: kind,
        origin: .manual,
        instant: instant ?? clock.now,
        metadata: metadata
      )
    )
  }

  func send(_ input: PhaseMachine.Input) -> LifecycleSendOutcome {
    let isHere = context.isHere
    let acceptance = machine.withLock { $0.accept(input, isHere: isHere) }
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
    return LifecycleSendOutcome(reason.map { .suppressed($0) } ?? (delivers ? .delivered : .queued))
  }

  /// Accepts now and delivers elsewhere than on a calling thread that has to wait. `completion` is
  /// called after the last observer of the input, or of its suppression; at once if the source is
  /// disconnected.
  func send(
    _ input: PhaseMachine.Input,
    completion: @escaping @Sendable () -> Void
  ) -> LifecycleSendOutcome {
    let (reason, needsHop) = machine.withLock { machine in
      let reason = machine.accept(input)
      if reason != .disconnected { machine.addCall(completion) }
      return (reason, machine.needsHop())
    }
    if needsHop { hop() }
    if reason == .disconnected { completion() }
    return LifecycleSendOutcome(reason.map { .suppressed($0) } ?? .queued)
  }

  /// Calls `first` in the turn of a row, if that is live then, sends a notice, and calls `last`, with
  /// no other event in between, after what the bus has accepted before; here if the caller may
  /// deliver.
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
    update { machine in
      machine.addCall(first, inTurnOf: row)
      _ = machine.accept(input)
      machine.addCall(last)
    }
  }

  // MARK: Sources

  func connect(_ registration: PhaseAggregate.Registration) -> Int {
    machine.withLock { $0.connect(registration) }
  }

  /// Connects the first source of a participant; nil if there is one.
  func connectNewParticipant(_ registration: PhaseAggregate.Registration) -> Int? {
    machine.withLock { $0.hasSource(as: registration.role) ? nil : $0.connect(registration) }
  }

  func disconnect(_ source: Int) {
    let instant = clock.now
    update { $0.disconnect(source, at: instant) }
  }

  /// Delivers what was accepted, then ends the streams.
  func release() {
    update { $0.release() }
  }

  // MARK: Scopes that end at an event, and with the bus

  func addEnding(_ ending: ScopeEnding) -> Int? {
    machine.withLock { $0.addEnding(ending) }
  }

  func removeEnding(_ id: Int) {
    // It may release what belongs to the caller.
    machine.discard { $0.removeEnding(id) }
  }

  // MARK: Delivery

  /// Changes what waits, and delivers it, here if the caller may.
  @inline(__always)
  func update(_ change: (inout DispatchMachine) -> Void) {
    let isHere = context.isHere
    let (delivers, needsHop) = machine.withLock { machine in
      change(&machine)
      return isHere ? (machine.startDelivering(), false) : (false, machine.needsHop())
    }
    if delivers { drain() }
    if needsHop { hop() }
  }

  /// Delivers what waits where the bus delivers, later.
  func hop() {
    context.run { [self] in
      let delivers = machine.withLock { machine in
        machine.hopArrived()
        return machine.startDelivering()
      }
      if delivers { drain() }
    }
  }

  /// Performs step after step until nothing waits; then the right to deliver has been given back.
  private func drain() {
    guard var step = advance() else { return }
    while true {
      perform(step)
      // The step is released after that, as `running` demands: it may be the last to keep its row.
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
    case .deliver(let event, let recipients):
      deliver(event, to: recipients)
    case .publish(let input, let rows):
      for row in rows where row.isLive {
        setRunning(row)
        row.receive(input)
      }
    case .start(let row, let delivered, let catchUp):
      setRunning(row)
      if row.isLive { row.start(after: delivered, catchUp: catchUp) }
    case .flush(let row):
      setRunning(row)
      row.flush()
    case .finish(let rows, let endings):
      for row in rows {
        setRunning(row)
        row.finish()
      }
      running.store(nil, ordering: .relaxed)
      for ending in endings { ending.scope.end() }
    case .clear(let row):
      row.clear()
    case .check(let sample):
      check(sample)
    case .call(let body, let row):
      if let row {
        guard row.isLive else { break }
        setRunning(row)
      }
      body()
    }
    running.store(nil, ordering: .relaxed)
  }

  private func deliver(_ event: LifecycleEvent, to recipients: DispatchMachine.Recipients) {
    let rows = recipients.rows
    if event.phase < event.previousPhase {
      TranscriptRow.receiveFirst(event, among: rows)
      for index in rows.indices.reversed() { call(rows[index], with: event) }
    } else {
      for index in rows.indices { call(rows[index], with: event) }
    }
    running.store(nil, ordering: .relaxed)
    for ending in recipients.endings { ending.scope.end() }
  }

  @inline(__always)
  private func call(_ row: ObserverRow, with event: LifecycleEvent) {
    guard row.kinds.contains(event.kind), row.isLive else { return }
    setRunning(row)
    row.receive(event)
  }

  @inline(__always)
  private func setRunning(_ row: ObserverRow) {
    running.store(.passUnretained(row), ordering: .relaxed)
  }
}
