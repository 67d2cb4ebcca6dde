import LifecycleCore
import LifecycleSupport
import Observation

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
final class PropertyTracker<Model: AnyObject, Value: Equatable>: UnreadChanges {
  private struct State {
    weak var model: Model?
    var last: Value
    /// The number of the change that led to ``last``.
    var lastNumber = 0
    var change: Change?
    /// The number of the latest observation. The earlier ones are over.
    var observation = 0
  }

  private struct Change {
    let number: Int
    let time: Duration
    let phase: LifecyclePhase
    let isOnMainActor: Bool
    var readCount = 0
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
    _ = observedValue(of: model)
  }

  /// Returns the value, and observes everything that it was computed from.
  private func observedValue(of model: Model) -> Value {
    // `transcribe` makes trackers only where there is Observation.
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else {
      return model[keyPath: property.value]
    }
    // A sendable closure can't capture the generic types.
    let changes: any UnreadChanges = self
    let number = state.withLock { state in
      state.value.observation += 1
      return state.value.observation
    }
    return withObservationTracking {
      model[keyPath: property.value]
    } onChange: {
      changes.willChange(number)
    }
  }

  var isCancelled: Bool { core.isCancelled }

  func willChange(_ observation: Int) {
    guard !isCancelled, state.withLock({ $0.value.observation == observation }) else { return }
    log.readChanges()
    let isOnMainActor = MainQueue.isCurrent
    let (time, phase) = (context.elapsed(), context.phase())
    let model = state.withLock { state in
      state.value.change = Change(
        number: observation,
        time: time,
        phase: phase,
        isOnMainActor: isOnMainActor
      )
      return UncheckedSendable(state.value.model)
    }.value
    log.addUnread(self)
    if let model { _ = observedValue(of: model) }
    if core.hasWaiters { log.readChangesLater() }
  }

  func readChange() -> Bool {
    let (model, last, change) = state.withLock { state in
      state.value.change?.readCount += 1
      return UncheckedSendable((state.value.model, state.value.last, state.value.change))
    }.value
    guard let model, let change, !isCancelled else { return true }
    // The model belongs to the main actor.
    guard !change.isOnMainActor || MainQueue.isCurrent else { return false }
    // After the change, a computed property may read others than before. While it is unchanged, it
    // may be about to change, but observations that nothing ends must not pile up.
    let value = UncheckedSendable(
      change.readCount <= 100 || model[keyPath: property.value] != last
        ? observedValue(of: model) : last
    )
    // Unchanged, or about to be changed.
    guard value.value != last else { return false }
    let (isRead, isLast) = state.withLockDiscarding { state in
      let old = UncheckedSendable(state.value.last)
      // The comparison may have changed the property, or another thread may have read it.
      let isRead = state.value.lastNumber < change.number
      if isRead {
        state.value.last = value.value
        state.value.lastNumber = change.number
      }
      if state.value.change?.number == change.number { state.value.change = nil }
      return ((isRead, state.value.change == nil), old)
    }
    if isRead { core.record(value.value, at: change.time, in: change.phase) }
    return isLast
  }
}

/// Changes that have happened, or are about to happen, and were not read.
protocol UnreadChanges: AnyObject, Sendable {
  /// A Boolean value that indicates whether the recorder of the changes was cancelled.
  var isCancelled: Bool { get }

  /// Notes that a change is about to happen, which the observation with this number has noticed.
  func willChange(_ observation: Int)

  /// Reads and records the change.
  ///
  /// - Returns: Whether there is nothing left to read.
  func readChange() -> Bool
}
