import Dispatch
import LifecycleSupport
import ReactiveLifecycle

/// An activity of the system, which any number of tasks of an `ExpiringActivityHost` share.
final class ExpiringActivity: Sendable {
  typealias Handler = @MainActor @Sendable () -> Void

  private struct State {
    var machine = ExpiringActivityMachine()
    /// The open tasks, oldest first.
    var tasks: [(id: Int, onExpiration: Handler)] = []
  }

  private let state = Locked(State())
  /// A group that is entered until the activity ends.
  private let end = DispatchGroup()

  init() {
    end.enter()
  }

  /// Adds a task.
  ///
  /// - Returns: False if the activity has ended, or its time is up.
  func join(_ id: Int, onExpiration: @escaping Handler) -> Bool {
    state.withLock { state in
      guard state.machine.isOpen else { return false }
      state.tasks.append((id, onExpiration))
      return true
    }
  }

  /// Handles a call of the system, on one of its queues, and returns when the last task has ended.
  func call(isExpired: Bool) {
    switch state.withLock({ $0.machine.call(isExpired: isExpired) }) {
    case .return: return
    case .wait: break
    case .expire: DispatchQueue.main.async { self.expire() }
    }
    end.wait()
  }

  func finish(_ id: Int) {
    let isOver = state.withLockDiscarding { state -> (Bool, Handler?) in
      guard let index = state.tasks.firstIndex(where: { $0.id == id }) else { return (false, nil) }
      let task = state.tasks.remove(at: index)
      return (state.tasks.isEmpty && state.machine.end(), task.onExpiration)
    }
    if isOver { end.leave() }
  }

  @MainActor private func expire() {
    guard state.withLock({ $0.machine.beginHandler() }) else { return }
    while let handler = state.withLock({ $0.tasks.isEmpty ? nil : $0.tasks.removeFirst() }) {
      handler.onExpiration()
    }
    state.withLock { $0.machine.finishHandler() }
    end.leave()
  }
}
