import Dispatch
import LifecycleSupport
import ReactiveLifecycle

/// What a thread waits for, blocking, until a test opens it.
final class ThreadGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}

/// What a test waits for, without blocking, until a thread opens it.
final class AsyncGate: Sendable {
  private enum State {
    case closed([CheckedContinuation<Void, Never>])
    case open
  }

  private let state = Locked(State.closed([]))

  func open() {
    let waiting = state.withLock { state in
      guard case .closed(let waiting) = state else { return [CheckedContinuation<Void, Never>]() }
      state = .open
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func opened() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .closed(let waiting) = state else { return true }
        state = .closed(waiting + [continuation])
        return false
      }
      if isOpen { continuation.resume() }
    }
  }
}
