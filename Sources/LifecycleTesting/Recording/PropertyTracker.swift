import LifecycleSupport
import Observation
import ReactiveLifecycle

/// The changes of an observable property, each recorded with the time and the phase at which it
/// happened.
///
/// Observation reports that a property is about to change. The new value is read as soon as
/// something else is about to happen: before the next line of the transcript, before the next
/// change of a tracked property, and before the test reads what was recorded. A change is therefore
/// recorded before everything that follows it.
///
/// The key path and the value need not be `Sendable`: they are used where the model is changed, and
/// where its owner reads what was recorded. The value is kept under the lock.
final class PropertyTracker<Model: AnyObject & Observable, Value: Equatable>: UnreadChanges {
  private struct State {
    weak var model: Model?
    var last: Value
    var change: Change?
  }

  private struct Change {
    let time: Duration
    let phase: LifecyclePhase
    let isOnMainActor: Bool
  }

  private let property: UncheckedSendable<KeyPath<Model, Value>>
  private let core: RecorderCore<Value, Never>
  private let context: TranscriptContext
  private let log: TranscriptLog
  private let state: Locked<UncheckedSendable<State>>

  /// Creates a tracker, and records the present value.
  init(
    _ model: Model,
    _ property: KeyPath<Model, Value>,
    _ core: RecorderCore<Value, Never>,
    _ context: TranscriptContext,
    _ log: TranscriptLog
  ) {
    self.property = UncheckedSendable(property)
    self.core = core
    self.context = context
    self.log = log
    let value = model[keyPath: property]
    state = Locked(UncheckedSendable(State(model: model, last: value)))
    core.record(value)
    observe(model)
  }

  private func observe(_ model: Model) {
    // A sendable closure can't capture the generic types.
    let changes: any UnreadChanges = self
    withObservationTracking {
      _ = model[keyPath: property.value]
    } onChange: {
      changes.willChange()
    }
  }

  func willChange() {
    guard !core.isCancelled else { return }
    log.readChanges()
    let isOnMainActor = MainQueue.isCurrent
    let change = Change(
      time: context.elapsed(),
      phase: context.phase(),
      isOnMainActor: isOnMainActor
    )
    let model = state.withLock { state in
      state.value.change = change
      return UncheckedSendable(state.value.model)
    }.value
    log.addUnread(self)
    if let model { observe(model) }
    if core.hasWaiters { log.readChangesLater() }
  }

  func readChange() -> Bool {
    let (model, change) = state.withLock { UncheckedSendable(($0.value.model, $0.value.change)) }
      .value
    guard let model, let change, !core.isCancelled else { return true }
    // The model belongs to the main actor.
    guard !change.isOnMainActor || MainQueue.isCurrent else { return false }
    let value = UncheckedSendable(model[keyPath: property.value])
    let isRead = state.withLock { state in
      // Unchanged, or about to be changed.
      guard state.value.change != nil, state.value.last != value.value else { return false }
      state.value.last = value.value
      state.value.change = nil
      return true
    }
    if isRead { core.record(value.value, at: change.time, in: change.phase) }
    return isRead
  }
}

/// Changes that have happened, or are about to happen, and were not read.
protocol UnreadChanges: AnyObject, Sendable {
  /// Notes that a change is about to happen.
  func willChange()

  /// Reads and records the change.
  ///
  /// - Returns: Whether there is nothing left to read.
  func readChange() -> Bool
}
