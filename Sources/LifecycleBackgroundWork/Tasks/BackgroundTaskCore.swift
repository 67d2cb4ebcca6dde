import LifecycleSupport
import ReactiveLifecycle

/// A task of a ``BackgroundTaskCoordinator``, which holds it while time is held for it. The scope
/// that it ends with holds it as well.
package final class BackgroundTaskCore: ScopeMember {
  /// The way in which a task ended, as recordings of the bus show it.
  enum Outcome: String {
    case finished, cancelled, released, expired
  }

  private struct State {
    var outcome: Outcome?
    var onExpiration: (@MainActor @Sendable () -> Void)?
    var membership: ScopeMembership?
  }

  let name: String
  private let number: Int
  private let coordinator: BackgroundTaskCoordinator
  private let log: ActivityLog?
  private let state: Locked<State>

  init(
    _ number: Int,
    _ name: String,
    of coordinator: BackgroundTaskCoordinator,
    _ log: ActivityLog?,
    _ onExpiration: @escaping @MainActor @Sendable () -> Void
  ) {
    self.number = number
    self.name = name
    self.coordinator = coordinator
    self.log = log
    state = Locked(State(onExpiration: onExpiration))
  }

  /// The way in which the task ended; nil while it is open.
  var outcome: Outcome? { state.withLock { $0.outcome } }

  var isGranted: Bool { coordinator.isGranted(number) }

  /// Records the task's place in a scope.
  func join(_ membership: ScopeMembership) {
    state.withLock { $0.membership = membership }
  }

  /// Leaves the scope if the task ended before its place there was recorded.
  func leaveIfEnded() {
    let membership = state.withLock { state in
      state.outcome == nil ? nil : state.membership.take()
    }
    membership?.withdraw()
  }

  package func scopeDidEnd() { end(.cancelled) }

  /// - Returns: Whether this call has ended the task.
  @discardableResult
  func end(_ outcome: Outcome) -> Bool {
    guard let old = take(outcome) else { return false }
    old.membership?.withdraw()
    withExtendedLifetime(old) { coordinator.end(number) }
    return true
  }

  @MainActor func expire() {
    guard let old = take(.expired) else { return }
    old.membership?.withdraw()
    old.onExpiration?()
  }

  /// - Returns: The previous state; nil if the task has already ended.
  private func take(_ outcome: Outcome) -> State? {
    let old = state.withLock { state -> State? in
      guard state.outcome == nil else { return nil }
      defer { state = State(outcome: outcome) }
      return state
    }
    if old != nil { log?.noteEnd(outcome.rawValue) }
    return old
  }
}
