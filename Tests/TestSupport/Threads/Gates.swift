import Dispatch
import LifecycleSupport

/// What a test waits for, without blocking, until a thread opens it.
public final class AsyncGate: Sendable {
  private enum State {
    case closed([CheckedContinuation<Void, Never>])
    case open
  }

  private let state = Locked(State.closed([]))

  public init() {}

  public func open() {
    let waiting = state.withLock { state in
      guard case .closed(let waiting) = state else { return [CheckedContinuation<Void, Never>]() }
      state = .open
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  public func opened() async {
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

/// What a thread waits for, blocking, until a test opens it.
public final class ThreadGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  public init() {}

  public func open() { semaphore.signal() }

  public func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}
