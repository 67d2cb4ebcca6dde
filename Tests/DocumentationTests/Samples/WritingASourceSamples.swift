import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// A login session that a test locks and unlocks.
final class Session: Sendable {
  typealias Handler = @Sendable (Bool) -> Void

  struct Unavailable: Error {}

  private struct State {
    var isAvailable = true
    var isLocked = false
    var lastID = 0
    var handlers: [Int: Handler] = [:]
  }

  private let state = Locked(State())

  var observerCount: Int { state.withLock { $0.handlers.count } }

  func makeUnavailable() { state.withLock { $0.isAvailable = false } }
  func lock() { set(true) }
  func unlock() { set(false) }

  /// Calls the handler with the present state, and at each change.
  func observeLock(_ handler: @escaping Handler) throws -> LifecycleCancellable {
    let (id, isLocked) = try state.withLock { state in
      guard state.isAvailable else { throw Unavailable() }
      state.lastID += 1
      state.handlers[state.lastID] = handler
      return (state.lastID, state.isLocked)
    }
    handler(isLocked)
    return LifecycleCancellable { [self] in
      state.withLock { _ = $0.handlers.removeValue(forKey: id) }
    }
  }

  private func set(_ isLocked: Bool) {
    let handlers = state.withLock { state in
      state.isLocked = isLocked
      return Array(state.handlers.values)
    }
    for handler in handlers { handler(isLocked) }
  }
}

struct SessionLock: LifecycleSource {
  let name: LifecycleSourceName = "sessionLock"
  let session: Session

  func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
    let observation = try session.observeLock { isLocked in
      input.send(isLocked ? .willResignActive : .didBecomeActive)
    }
    return { observation.cancel() }
  }
}

/// The windows of an application, which a test opens and closes.
struct WindowServer: LifecycleSource {
  let name: LifecycleSourceName = "windows"
  let windows: Windows

  func start(_ input: LifecycleFeed) -> @Sendable () -> Void {
    windows.onOpen { id in
      let window = input.part(as: .participant(LifecycleParticipant(rawValue: "window \(id)")))
      window.send(.didBecomeActive)
      return { window.disconnect() }
    }
    return { windows.stop() }
  }
}

final class Windows: Sendable {
  typealias Close = @Sendable () -> Void

  private let handler = Locked<(@Sendable (Int) -> Close)?>(nil)

  func onOpen(_ handler: @escaping @Sendable (Int) -> Close) {
    self.handler.withLock { $0 = handler }
  }

  func stop() { handler.withLock { $0 = nil } }

  func open(_ id: Int) -> Close { handler.withLock { $0 }?(id) ?? {} }
}

/// What a source does whose system waits for it.
func logOut(_ input: LifecycleFeed, print: (String) -> Void) {
  let outcome = input.sendAndWait(.willTerminate, until: .now + .seconds(2))
  if let observer = outcome.runningObserver { print("still running: \(observer)") }
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

  @Test("A repetition is suppressed")
  func repeated() throws {
    let lock = try bus.connect(SessionLock(session: session), as: .ceiling)
    bus.send(.didBecomeActive)
    session.lock()
    session.lock()
    #expect(bus.suppressedCount(.duplicate) == 1)
    lock.cancel()
  }

  @Test("A cancelled connection leaves no observer in the session")
  func cancelled() throws {
    let lock = try bus.connect(SessionLock(session: session), as: .ceiling)
    lock.cancel()
    #expect(session.observerCount == 0)
  }

  @Test("A session that can't be observed throws, and the bus continues")
  func unavailable() {
    session.makeUnavailable()
    #expect(throws: Session.Unavailable.self) {
      try bus.connect(SessionLock(session: session), as: .ceiling)
    }
    bus.send(.didBecomeActive)
    #expect(bus.phase == .active)
  }
}
