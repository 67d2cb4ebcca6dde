/// The state after the last event that was delivered to the observers.
package struct DeliveredState {
  package internal(set) var phase = LifecyclePhase.unknown
  package internal(set) var isProtectedDataAvailable = true
  package internal(set) var sequenceNumber = 0
  package internal(set) var instant = LifecycleInstant(
    continuous: .boot,
    timeAwake: .zero,
    timeSince1970: .zero
  )
}

/// The work that the machine keeps.
extension DispatchMachine {
  /// Work that waits for its turn, in order of acceptance.
  enum Work {
    case event(LifecycleEvent)
    case suppressed(SuppressedInput)
    case call(@Sendable () -> Void, inTurnOf: ObserverRow?)
    case release
  }

  /// Work that is done between two events, first come, first served.
  enum RowTask {
    case start(ObserverRow, LifecycleCatchUp)
    case flush(ObserverRow)
    case finish(ObserverRow)
    case clear(ObserverRow)
    case check(OwnerTable.Sample)
  }
}

extension DispatchMachine {
  /// The rows that are called in the step in delivery, which keeps them alive until the machine has
  /// forgotten them.
  enum Running {
    case none
    case row(ObserverRow)
    case rows(ContiguousArray<ObserverRow>)
  }
}

/// The work that the machine's methods leave to their caller, after the lock is given back.
extension DispatchMachine {
  /// The next step of the thread that has the right to deliver.
  ///
  /// Moved, never copied: copying an event takes longer than calling an observer.
  enum Step: ~Copyable, Sendable {
    /// Lets rows prepare for a return, before the event counts as delivered.
    case prepare(LifecycleEvent, ContiguousArray<ObserverRow>)
    case deliver(LifecycleEvent, to: Recipients)
    case publish(SuppressedInput, to: ContiguousArray<ObserverRow>)
    case start(ObserverRow, after: DeliveredState, LifecycleCatchUp)
    case flush(ObserverRow)
    case finish(ContiguousArray<ObserverRow>, [ScopeEnding])
    case clear(ObserverRow)
    case check(OwnerTable.Sample)
    case call(@Sendable () -> Void, inTurnOf: ObserverRow?)
    /// A hop to where the bus delivers is to be scheduled. It is the last step.
    case hop
  }

  /// The observers that receive an event, and the scopes that end after it.
  struct Recipients: Sendable {
    var rows: ContiguousArray<ObserverRow>
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
  /// It is not a `Step` that contains the event, which would be copied at every move. The caller
  /// makes the event of the move and the input that it has.
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

  /// The outcome of a registration.
  struct Registration {
    enum Outcome {
      case added
      /// Something is waiting for the row.
      case waiting
      /// The row is no longer live.
      case dead
      /// The stream has ended.
      case ended
    }

    var outcome: Outcome
    /// A Boolean value that indicates whether the caller notes the row for the taps.
    var isTapped = false
    /// The earlier observers that the registration made silent.
    var replaced: [ObserverRow] = []
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
    }

    var step: Step
    var garbage: ContiguousArray<ObserverRow>
  }

  /// The state that diagnostics report.
  struct Snapshot {
    let phase: LifecyclePhase
    let aggregate: PhaseAggregate
    let suppressedCounts: [SuppressedInput.Reason: Int]
    let liveRows: [ObserverRow]
    let isDelivering: Bool
    let runningRow: ObserverRow?
  }
}
