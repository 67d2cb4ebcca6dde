/// The work that the machine's methods leave to their caller, after the lock is given back.
extension DispatchMachine {
  /// The next step of the thread that has the right to deliver.
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

  /// The observers that receive an event, and the scopes that end after it.
  struct Recipients: Sendable {
    let rows: ContiguousArray<ObserverRow>
    let endings: [ScopeEnding]
  }

  /// The outcome of accepting an input.
  struct Acceptance: ~Copyable, Sendable {
    /// The reason why the input causes no event.
    var reason: SuppressedInput.Reason?
    /// A Boolean value that indicates whether the caller has the right to deliver now.
    var delivers: Bool
    /// The event that the caller delivers first.
    var immediate: ImmediateDelivery?
    /// A Boolean value that indicates whether the caller must schedule a hop to where the bus
    /// delivers.
    var needsHop = false
  }

  /// The delivery of an event that need not wait.
  ///
  /// It is not a `Step` that contains the event: an event takes 200 bytes and would be copied at
  /// every move. That would cost 750 instructions, in addition to the 780 that sending to one
  /// observer takes.
  struct ImmediateDelivery: Sendable {
    let move: PhaseMachine.Move
    let recipients: Recipients
  }

  /// The work that follows a performed step.
  enum Next: ~Copyable {
    /// Rows that became silent meanwhile. The caller clears them, then asks again.
    case clear(ContiguousArray<ObserverRow>)
    case step(Step?)
  }

  /// The outcome of an observer's registration.
  struct Registration {
    enum Outcome {
      case added
      /// The row is dead, or the streams have ended already.
      case rejected
      /// The caller notes the row for the taps, and delivers what may be waiting for observations.
      case addedSpecially
    }

    var outcome: Outcome
    /// The earlier observers that the registration made silent.
    var replaced: [ObserverRow] = []
    /// Observers whose owner may have been released.
    var sample = OwnerTable.Sample()

    init(_ outcome: Outcome, sample: OwnerTable.Sample = OwnerTable.Sample()) {
      self.outcome = outcome
      self.sample = sample
    }
  }

  /// The outcome of a subscriber's registration.
  struct Subscription {
    /// A Boolean value that indicates whether something is waiting for the subscriber.
    var isWaiting: Bool
    /// A Boolean value that indicates whether the caller notes the row for the taps. Only if
    /// something is waiting.
    var joinsSpecially = false
    /// Observers whose owner may have been released.
    var sample = OwnerTable.Sample()
  }

  /// The work that a cancelled row leaves to do outside the lock.
  struct Removal {
    enum Step {
      /// The row is cleared where the bus delivers, after the event in delivery.
      case nothing
      /// The caller clears the row.
      case clear
      /// The caller schedules a hop to where the bus delivers.
      case hop
      /// The caller delivers what is waiting.
      case deliver
      /// Nothing has been done: the caller reads the clock, and removes the row with that instant.
      case repeatWithInstant
    }

    var step: Step
    var garbage: ContiguousArray<ObserverRow>

    init(_ step: Step, garbage: ContiguousArray<ObserverRow>) {
      self.step = step
      self.garbage = garbage
    }
  }

  /// The state that diagnostics report.
  struct Snapshot {
    let phase: LifecyclePhase
    let aggregate: PhaseAggregate
    let suppressedCounts: [SuppressedInput.Reason: Int]
    let liveRows: [ObserverRow]
    let isDelivering: Bool
  }
}
