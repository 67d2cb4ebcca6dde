package import LifecycleSupport
import Synchronization

/// The part that both kinds of bus have in common. Opaque: it has no public members.
///
/// It consists of the dispatch machine under its lock, and the loop that performs the machine's
/// steps.
///
/// The path of an event:
///
/// 1. *Accept*, under the lock. The phase machine determines the events that an input becomes, and
///    they are queued. An input that changes nothing becomes a `SuppressedInput` there.
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
/// in a row's `receive`. `ClosureRow`, `OwnerRow` and `ReturnRow` call a closure. `ListenerRow`
/// calls a `BusListener`, for example `BusForwarder`, which sends to the core of a child bus.
/// `EventRow` and similar rows offer the value to a subscriber (`SubscriberRow`), for example a
/// `sink`.
///
/// The guards of the state:
///
/// - Everything in `DispatchMachine`: the lock.
/// - The contents of a row (closure, subscriber, buffer): the right to deliver. After the row's
///   end, they belong to the thread that clears the row.
/// - `ObserverRow.isLive`: atomic. The end of a row takes effect at once, on every thread.
/// - `running`: written by the thread that delivers, read under the lock.
/// - `tapIndicator`: written under the lock, read by those who would otherwise prepare a note in
///   vain.
/// - `attachments`: a separate lock. `context` and `clock` do not change.
///
/// Observers, subscriptions and sources keep the core alive, never the bus: the streams end when
/// the bus is released.
public final class LifecycleBusCore: Sendable {
  package let clock: any LifecycleClock
  let context: DeliveryContext
  let machine = Locked(DispatchMachine())
  let running = RunningRow()

  /// Indicates whether the bus has taps.
  package let tapIndicator = SharedFlag()
  let lastActivity = Atomic(0)

  private let attachments = Locked(WeakAttachments())

  init(context: DeliveryContext, clock: any LifecycleClock) {
    self.context = context
    self.clock = clock
  }

  /// Returns the object of a type that a feature has attached to the bus, and makes it if there is
  /// none. The bus does not keep it alive.
  ///
  /// Not generic, because generic functions of another module are not specialized.
  ///
  /// - Parameters:
  ///   - type: The type of the objects that `make` makes.
  ///   - make: Makes the object if there is none. If two are made at once, one of them is used.
  ///   - start: Called with an object that is used from then on.
  package func attachment(
    _ type: ObjectIdentifier,
    _ make: (LifecycleBusCore) -> any AnyObject & Sendable,
    start: (any AnyObject & Sendable) -> Void
  ) -> any AnyObject & Sendable {
    if let object = attachments.withLock({ $0[type] }) { return object }
    // It may read the clock: no lock may be held.
    let made = make(self)
    let object = attachments.withLock { attachments in
      if let object = attachments[type] { return object }
      attachments.insert(made, as: type)
      return made
    }
    if object === made { start(made) }
    return object
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
    return reason.map { .suppressed($0) } ?? (delivers ? .delivered : .queued)
  }

  /// Accepts an input now, and delivers it elsewhere than on a calling thread that has to wait.
  ///
  /// - Parameter completion: Called after the last observer of the input, or of its suppression; at
  ///   once if the source is disconnected.
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
    update { machine in
      machine.addCall(first, inTurnOf: row)
      _ = machine.accept(input)
      machine.addCall(last)
    }
  }

  // MARK: Sources

  func connect(_ registration: PhaseAggregate.Registration) -> Int {
    noting { $0.connect(registration, at: $1) }
  }

  /// Connects the first source of a participant; returns nil if there is one already.
  func connectNewParticipant(_ registration: PhaseAggregate.Registration) -> Int? {
    noting { $0.hasSource(as: registration.role) ? nil : $0.connect(registration, at: $1) }
  }

  func disconnect(_ source: Int) {
    let instant = clock.now
    update { $0.disconnect(source, at: instant) }
  }

  /// Delivers everything that was accepted, then ends the streams.
  func release() {
    let instant = instantForTaps
    update { $0.release(at: instant) }
  }

  // MARK: Scopes that end at an event, and with the bus

  func addEnding(_ ending: ScopeEnding) -> Int? {
    machine.withLock { $0.addEnding(ending) }
  }

  func removeEnding(_ id: Int) {
    // It may release objects that belong to the caller.
    machine.discard { $0.removeEnding(id) }
  }

  // MARK: Delivery

  /// Changes the waiting work, and delivers it here if the caller may deliver.
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

  /// Delivers the waiting work later, where the bus delivers.
  func hop() {
    context.run { [self] in
      let delivers = machine.withLock { machine in
        machine.hopArrived()
        return machine.startDelivering()
      }
      if delivers { drain() }
    }
  }

  /// Performs steps until nothing waits; by then the right to deliver has been given back.
  private func drain() {
    guard var step = advance() else { return }
    while true {
      perform(step)
      // The step is released after that, as `running` requires: it may hold its row's last
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
    case .deliver(let event, let recipients):
      deliver(event, to: recipients)
    case .publish(let input, let rows):
      for row in rows where row.isLive {
        running.set(row)
        row.receive(input)
      }
    case .start(let row, let delivered, let catchUp):
      running.set(row)
      if row.isLive { row.start(after: delivered, catchUp: catchUp) }
    case .flush(let row):
      running.set(row)
      row.flush()
    case .finish(let rows, let endings):
      for row in rows {
        running.set(row)
        row.finish()
      }
      running.clear()
      for ending in endings { ending.scope.end() }
    case .clear(let row):
      row.clear()
    case .check(let sample):
      check(sample)
    case .call(let body, let row):
      if let row {
        guard row.isLive else { break }
        running.set(row)
      }
      body()
    }
    running.clear()
  }

  private func deliver(_ event: LifecycleEvent, to recipients: DispatchMachine.Recipients) {
    let rows = recipients.rows
    if event.phase < event.previousPhase {
      TranscriptRow.receiveFirst(event, among: rows)
      if event.kind == .didEnterBackground { capture(rows) }
      for index in rows.indices.reversed() { call(rows[index], with: event) }
    } else {
      for index in rows.indices { call(rows[index], with: event) }
    }
    running.clear()
    for ending in recipients.endings { ending.scope.end() }
  }

  /// Lets the rows that capture a value do so, in order of registration.
  private func capture(_ rows: ContiguousArray<ObserverRow>) {
    for row in rows where row.captures && row.isLive {
      running.set(row)
      row.captureValue()
    }
  }

  @inline(__always)
  private func call(_ row: ObserverRow, with event: LifecycleEvent) {
    guard row.kinds.contains(event.kind), row.isLive else { return }
    running.set(row)
    row.receive(event)
  }
}
