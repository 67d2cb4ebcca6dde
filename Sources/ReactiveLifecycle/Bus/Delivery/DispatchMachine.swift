import DequeModule
import LifecycleSupport

/// The state machine that decides what is delivered next, and to whom.
///
/// It calls no other code: each method returns what its caller has to do, or to release, after the
/// lock is given back.
struct DispatchMachine {
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
    case finish([ObserverRow])
    case clear(ObserverRow)
    case check(OwnerTable.Sample)
  }

  var phaseMachine = PhaseMachine()
  /// Empty except inside `accept`, whose closure would copy the input if it made events of moves.
  var later: ContiguousArray<PhaseMachine.Move> = []
  var work: Deque<Work> = []
  var rowTasks: Deque<RowTask> = []
  var observers = ObserverTable()
  var suppressionObservers = ObserverTable()
  var identities = IdentityTable()
  var owners = OwnerTable()
  var observations = ObservationTable()
  var taps = TapTable()
  var endings = ScopeEndingTable()
  var pendingRelease: ContiguousArray<ObserverRow> = []
  var suppressedCounts: [SuppressedInput.Reason: Int] = [:]
  var isReleased = false
  /// A Boolean value that indicates whether more is to be done with an input than to deliver its
  /// events: the bus was released, or taps are to be notified. One value, so that the others need
  /// only one test.
  var acceptsSpecially = false
  /// A Boolean value that indicates whether the streams have ended.
  var isFinished = false
  /// A Boolean value that indicates whether more is to be done when an observer joins than to add
  /// its row: the streams have ended, or observations or taps are to be notified. One value, as
  /// above.
  var joinsSpecially = false

  /// The state after the last event that was delivered to the observers.
  var delivered = DeliveredState()
  /// The instant of the first phase that the observers were notified of.
  var launch: ContinuousInstant?
  /// A Boolean value that indicates whether a thread has the right to deliver.
  var isDelivering = false
  var isHopScheduled = false

  var snapshot: Snapshot {
    Snapshot(
      phase: delivered.phase,
      aggregate: phaseMachine.aggregate.unsharedForSanitizer,
      suppressedCounts: suppressedCounts.unsharedForSanitizer,
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
}
