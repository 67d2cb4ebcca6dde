/// What the machine's methods leave to do to their caller, after the lock is given back.
extension DispatchMachine {
  /// What the thread that has the right to deliver does next.
  ///
  /// Moved, never copied: copying an event takes longer than calling an observer.
  enum Step: ~Copyable, Sendable {
    case deliver(LifecycleEvent, to: Recipients)
    case publish(SuppressedInput, to: ContiguousArray<ObserverRow>)
    case start(ObserverRow, after: DeliveredState, LifecycleCatchUp)
    case pump(ObserverRow)
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

  /// The delivery of an event that has nothing to wait for.
  struct ImmediateDelivery: ~Copyable, Sendable {
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
