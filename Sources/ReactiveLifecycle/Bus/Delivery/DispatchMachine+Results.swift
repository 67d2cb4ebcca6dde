/// What the machine's methods leave to do to their caller, after the lock is given back.
extension DispatchMachine {
  /// What the thread that has the right to deliver does next.
  ///
  /// Moved, never copied: copying an event takes longer than calling an observer.
  enum Step: ~Copyable, Sendable {
    case deliver(LifecycleEvent, to: Recipients)
    case publish(SuppressedInput, to: ContiguousArray<ObserverRow>)
    case start(ObserverRow, after: DeliveredState, LifecycleCatchUp)
    case flush(ObserverRow)
    case finish(ContiguousArray<ObserverRow>, [ScopeEnding])
    case clear(ObserverRow)
    case check(OwnerTable.Sample)
    case call(@Sendable () -> Void, inTurnOf: ObserverRow?)
  }

  /// Who gets an event, and what ends after it.
  struct Recipients: Sendable {
    let rows: ContiguousArray<ObserverRow>
    let endings: [ScopeEnding]
  }

  /// What becomes of an input.
  struct Acceptance: ~Copyable, Sendable {
    /// The reason why no event comes of it.
    var reason: SuppressedInput.Reason?
    /// Whether the caller has the right to deliver now.
    var delivers: Bool
    /// What the caller delivers first.
    var immediate: ImmediateDelivery?
    /// Whether the bus's own place of delivery has to be woken up.
    var needsHop = false
  }

  /// The delivery of an event that has nothing to wait for.
  ///
  /// It is no `Step`, with the event in it: an event is 200 bytes long, and would be copied at every
  /// move, for 750 instructions in addition to the 780 that sending to one observer takes.
  struct ImmediateDelivery: Sendable {
    let move: PhaseMachine.Move
    let recipients: Recipients
  }

  /// What comes after a step that has been performed.
  enum Next: ~Copyable {
    /// These rows became silent meanwhile: clear them, then ask again.
    case clear(ContiguousArray<ObserverRow>)
    case step(Step?)
  }

  /// What became of a registration.
  struct Registration {
    /// False when the row is dead or the streams have ended already.
    var wasAdded: Bool
    /// The earlier observers that the registration made silent.
    var replaced: [ObserverRow] = []
    /// Observers whose owner may be gone.
    var sample = OwnerTable.Sample()
  }

  /// What became of a subscriber's registration.
  struct Subscription {
    /// Whether something is waiting for the subscriber.
    var isWaiting: Bool
    /// Observers whose owner may be gone.
    var sample = OwnerTable.Sample()
  }

  /// What a cancelled row leaves to do outside the lock.
  struct Removal {
    /// Whether the caller clears the row; otherwise it is cleared where the bus delivers, after the
    /// event in delivery.
    var clearsNow: Bool
    var garbage: ContiguousArray<ObserverRow>
  }

  /// What diagnostics tell.
  struct Snapshot {
    let phase: LifecyclePhase
    let aggregate: PhaseAggregate
    let suppressedCounts: [SuppressedInput.Reason: Int]
    let liveRows: [ObserverRow]
    let isDelivering: Bool
  }
}
