import LifecycleSupport
import ReactiveLifecycle

/// An action of a scheduler that is called repeatedly, until it is cancelled or dropped.
final class Repetition: Sendable {
  private struct State {
    var action: ScheduledAction?
    /// The number of the latest call that was scheduled.
    var id: Int?
  }

  private let core: ManualClockCore
  private let interval: Duration
  private let drops: Int
  private let state: Locked<State>

  init(_ core: ManualClockCore, interval: Duration, _ action: ScheduledAction) {
    self.core = core
    self.interval = interval.clamped
    drops = core.drops
    state = Locked(State(action: action))
  }

  func schedule(at deadline: ContinuousInstant) {
    let id = core.schedule(ifStill: drops, at: deadline) { self.call(due: deadline) }
    guard let id else { return }
    let isCancelled = state.withLock { state in
      // Another thread may have called it, and scheduled the next call, meanwhile.
      state.id = max(state.id ?? id, id)
      return state.action == nil
    }
    if isCancelled { _ = core.cancel(id) }
  }

  private func call(due: ContinuousInstant) {
    // The action must not be released under the lock if it cancels itself.
    guard let action = state.withLock({ $0.action }) else { return }
    action.value()
    guard interval > .zero, state.withLock({ $0.action != nil }) else { return }
    let now = core.now.continuous
    let late = max(now - due, .zero)
    let sinceLast = Duration(attoseconds: late.attoseconds % interval.attoseconds)
    let next = now + (interval - sinceLast)
    // A clock that has reached its limit shows no later instant.
    if next > now { schedule(at: next) }
  }

  /// Cancels the action: no call begins afterward.
  func cancel() {
    let state = state.withLock { state in
      defer { state = State() }
      return state
    }
    if let id = state.id { _ = core.cancel(id) }
  }
}
