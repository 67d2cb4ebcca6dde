import Dispatch
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// A login session that a test locks and unlocks.
final class Session: Sendable {
  private struct State {
    var isLocked = false
    var handler: (@Sendable (Bool) -> Void)?
  }

  private let state = Locked(State())

  func lock() { set(true) }
  func unlock() { set(false) }

  /// Calls the handler with the present state, and at each change.
  func observeLock(
    _ handler: @escaping @Sendable (Bool) -> Void
  ) throws -> LifecycleCancellable {
    let isLocked = state.withLock { state in
      state.handler = handler
      return state.isLocked
    }
    handler(isLocked)
    return LifecycleCancellable { [self] in state.withLock { $0.handler = nil } }
  }

  private func set(_ isLocked: Bool) {
    let handler = state.withLock { state in
      state.isLocked = isLocked
      return state.handler
    }
    handler?(isLocked)
  }
}

struct SessionLock: LifecycleSource {
  let name: LifecycleSourceName = "sessionLock"
  let session: Session

  func start(_ feed: LifecycleFeed) throws -> @Sendable () -> Void {
    let observation = try session.observeLock { isLocked in
      feed.send(isLocked ? .willResignActive : .didBecomeActive)
    }
    return { observation.cancel() }
  }
}

struct Windows: Sendable {
  func onOpen(_ handler: @escaping @Sendable (Int) -> @Sendable () -> Void) {}
  func stop() {}
}

struct WindowServer: LifecycleSource {
  let name: LifecycleSourceName = "windows"
  let windows: Windows

  func start(_ feed: LifecycleFeed) -> @Sendable () -> Void {
    windows.onOpen { id in
      let window = feed.part(as: .participant(LifecycleParticipant(rawValue: "window \(id)")))
      window.send(.didBecomeActive)
      return { window.disconnect() }
    }
    return { windows.stop() }
  }
}

private func logOut(_ feed: LifecycleFeed, _ bus: LifecycleBus) {
  let delivered = DispatchSemaphore(value: 0)
  feed.send(.willTerminate) { delivered.signal() }
  if delivered.wait(timeout: .now() + 2) == .timedOut {
    print("still running: \(bus.diagnostics)")
  }
}

@MainActor
private func lockSample(_ bus: LifecycleBus, _ session: Session, in scope: LifecycleScope) throws {
  try bus.connect(SessionLock(session: session), as: .ceiling, in: scope)
}

@MainActor
@Suite("Session lock")
struct SessionLockTests {
  private let session = Session()
  private let bus = LifecycleBus(clock: ManualClock())

  @Test("A locked session keeps the bus from being active")
  func locked() throws {
    let lock = try bus.connect(SessionLock(session: session), as: .ceiling)
    bus.send(.didBecomeActive)
    session.lock()
    #expect(bus.phase == .inactive)
    session.unlock()
    #expect(bus.phase == .active)
    session.lock()
    lock.cancel()
    #expect(bus.phase == .active)  // the report is withdrawn
  }

  @Test("The state that the source finds counts from the start")
  func lockedFromTheStart() throws {
    session.lock()
    let lock = try bus.connect(SessionLock(session: session), as: .ceiling)
    bus.send(.didBecomeActive)
    #expect(bus.phase == .inactive)
    lock.cancel()
  }
}
