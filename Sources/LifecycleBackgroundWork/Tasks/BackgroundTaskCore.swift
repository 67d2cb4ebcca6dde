import LifecycleSupport
import ReactiveLifecycle

/// A task of a ``BackgroundTaskCoordinator``, which holds it while time is held for it. The scope
/// that it ends with holds it as well.
package final class BackgroundTaskCore: ScopeMember {
  private enum Status {
    case open, ended, expired
  }

  private struct State {
    var status = Status.open
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

  var isEnded: Bool { state.withLock { $0.status != .open } }

  var isExpired: Bool { state.withLock { $0.status == .expired } }

  var isGranted: Bool { coordinator.isGranted(number) }

  /// Records the task's place in a scope.
  func join(_ membership: ScopeMembership) {
    state.withLock { $0.membership = membership }
  }

  /// Leaves the scope if the task ended before its place there was recorded.
  func leaveIfEnded() {
    let membership = state.withLock { state in
      state.status == .open ? nil : state.membership.take()
    }
    membership?.withdraw()
  }

  package func scopeDidEnd() { end("cancelled") }

  /// - Parameter outcome: The outcome for those who record the bus.
  /// - Returns: Whether this call has ended the task.
  @discardableResult
  func end(_ outcome: String = "finished") -> Bool {
    guard let old = take(.ended) else { return false }
    log?.noteEnd(outcome)
    old.membership?.withdraw()
    withExtendedLifetime(old) { coordinator.end(number) }
    return true
  }

  @MainActor func expire() {
    guard let old = take(.expired) else { return }
    log?.noteEnd("expired")
    old.membership?.withdraw()
    old.onExpiration?()
  }

  /// - Returns: The previous state; nil if the task has already ended.
  private func take(_ status: Status) -> State? {
    state.withLock { state in
      guard state.status == .open else { return nil }
      defer { state = State(status: status) }
      return state
    }
  }
}
