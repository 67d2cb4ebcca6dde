import Dispatch
import ReactiveLifecycle

/// One task of an `ExpiringActivityHost`.
final class ExpiringActivity: Sendable {
  typealias Handler = @MainActor @Sendable () -> Void

  private struct State {
    var machine = ExpiringActivityMachine()
    var onExpiration: Handler?
  }

  private let state: Locked<State>
  /// Entered until the end.
  private let end = DispatchGroup()

  init(onExpiration: @escaping Handler) {
    state = Locked(State(onExpiration: onExpiration))
    end.enter()
  }

  /// What the system calls, on a queue of its own: returns when the task has ended.
  func call(isExpired: Bool) {
    switch state.withLock({ $0.machine.call(isExpired: isExpired) }) {
    case .return: return
    case .wait: break
    case .expire: DispatchQueue.main.async { self.expire() }
    }
    end.wait()
  }

  func finish() {
    let (isOver, unwanted) = state.withLock { state in
      (state.machine.end(), state.onExpiration.take())
    }
    withExtendedLifetime(unwanted) { if isOver { end.leave() } }
  }

  @MainActor private func expire() {
    let (isWanted, handler) = state.withLock { state in
      (state.machine.beginHandler(), state.onExpiration.take())
    }
    guard isWanted else { return }
    handler?()
    state.withLock { $0.machine.finishHandler() }
    end.leave()
  }
}
