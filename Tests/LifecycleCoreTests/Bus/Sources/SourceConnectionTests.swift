import CustomDump
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

/// How a source comes, fails and goes, what it leaves behind, and how observers deal with sources.
@MainActor
@Suite("Connections of sources")
struct SourceConnectionTests {
  private let clock = ManualClock()
  private let bus: LifecycleBus
  private let trace = Trace()

  init() { bus = LifecycleBus(clock: clock) }

  private struct NoSuchDevice: Error {}

  private func observe() -> LifecycleCancellable {
    bus.addObserver { [trace] in trace($0.line) }
  }

  @Test("A source that sends and then fails to start withdraws what it sent")
  func sendsAndThrows() {
    bus.send(.didFinishLaunching)
    let token = observe()
    let kept = Locked<LifecycleFeed?>(nil)
    let source = TestSource("scripted") { [trace] input in
      kept.withLock { $0 = input }
      trace(input.send(.didBecomeActive).line)
      throw NoSuchDevice()
    }
    #expect(throws: NoSuchDevice.self) { try bus.connect(source, as: .participant("device")) }
    trace(kept.withLock { $0!.send(.didBecomeActive) }.line)
    expectNoDifference(
      trace.take(),
      [
        "2 willEnterForeground background→inactive synthesized",
        "3 didBecomeActive inactive→active source(scripted)",
        "delivered",
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background synthesized",
        "suppressed disconnected",
      ]
    )
    expectNoDifference(bus.diagnostics.participants.map(\.name), [.application])
    token.cancel()
  }

  @Test("A source that disconnects itself while it starts is stopped")
  func endsWhileItStarts() throws {
    let token = observe()
    let source = TestSource("scripted") { [trace] input in
      input.send(.didFinishLaunching)
      input.disconnect()
      trace(input.send(.didBecomeActive).line)
    } onStop: { [trace] in
      trace("stopped")
    }
    try bus.connect(source).cancel()
    expectNoDifference(
      trace.lines,
      [
        "1 didFinishLaunching unknown→background source(scripted)",
        "suppressed disconnected",
        "stopped",
      ]
    )
    token.cancel()
  }

  @Test("A source is stopped when its scope ends or its connection is released")
  func heldByAScope() throws {
    let scope = LifecycleScope("session")
    let lock = TestSource("lock", trace: trace)
    try bus.connect(lock, as: .ceiling, in: scope)
    bus.send(.didBecomeActive)
    lock.feed.send(.didFinishLaunching)
    expectNoDifference(bus.phase, .background)
    scope.end()
    expectNoDifference(bus.phase, .active)
    expectNoDifference(trace.take(), ["lock started", "lock stopped"])
    _ = try bus.connect(lock, as: .ceiling)
    expectNoDifference(trace.lines, ["lock started", "lock stopped"])
  }

  @Test("A source whose first report ends its scope is stopped, which is no misuse")
  func endsItsScope() throws {
    let scope = LifecycleScope("launch")
    scope.end(at: .didBecomeActive, of: bus)
    let source = TestSource("source") {
      $0.send(.didBecomeActive)
    } onStop: { [trace] in
      trace("stopped")
    }
    try bus.connect(source, in: scope)
    expectNoDifference(trace.lines, ["stopped"])
  }

  @Test("A source cancelled on another thread is silent at once, and withdraws on the main actor")
  func cancelledElsewhere() async throws {
    let lock = TestSource("lock")
    let connection = try bus.connect(lock, as: .ceiling)
    bus.send(.didBecomeActive)
    lock.feed.send(.willResignActive)
    let token = observe()
    let outcome = onOtherThread {
      connection.cancel()
      return lock.feed.send(.didEnterBackground)
    }
    expectNoDifference(outcome, .suppressed(.disconnected))
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["5 didBecomeActive inactive→active synthesized"])
    token.cancel()
  }

  @Test("A source starts on the thread that connects it, and stops on the one that cancels")
  func callersThread() {
    let caller = Locked<ObjectIdentifier?>(nil)
    let isCaller: @Sendable () -> Bool = { caller.withLock { $0 == currentThread() } }
    // The main actor, where the bus delivers, is blocked here.
    let connection = onOtherThread { [bus, trace] in
      caller.withLock { $0 = currentThread() }
      let source = TestSource("scripted") { _ in
        trace("start on the caller's thread: \(isCaller())")
      } onStop: {
        trace("stop on the caller's thread: \(isCaller())")
      }
      defer { trace("connected") }
      return try? bus.connect(source)
    }
    onOtherThread { [trace] in
      caller.withLock { $0 = currentThread() }
      connection?.cancel()
      trace("cancelled")
    }
    expectNoDifference(
      trace.lines,
      [
        "start on the caller's thread: true", "connected",
        "stop on the caller's thread: true", "cancelled",
      ]
    )
  }

  // MARK: Inside observers

  @Test("A ceiling that an observer connects limits what is accepted after that")
  func connectedByAnObserver() throws {
    let lock = TestSource("lock")
    var connection: LifecycleCancellable?
    let token = bus.addObserver { [trace, unowned bus] event in
      trace(event.line)
      guard event.kind == .willEnterForeground, event.sequenceNumber == 2 else { return }
      connection = try? bus.connect(lock, as: .ceiling)
      trace("lock: \(lock.feed.send(.didFinishLaunching).line)")
      trace("own: \(bus.send(.willResignActive).line)")
    }
    bus.send(.didBecomeActive)
    expectNoDifference(
      trace.take(),
      [
        "1 didFinishLaunching unknown→background synthesized",
        "2 willEnterForeground background→inactive synthesized",
        "lock: queued",
        "own: suppressed masked",
        "3 didBecomeActive inactive→active manual",
        "4 willResignActive active→inactive synthesized",
        "5 didEnterBackground inactive→background synthesized",
      ]
    )
    connection?.cancel()
    // The program itself had gone back to `inactive` behind the ceiling.
    expectNoDifference(trace.lines, ["6 willEnterForeground background→inactive synthesized"])
    token.cancel()
  }

  @Test("A source that an observer cancels moves the bus after the event in delivery")
  func cancelledByAnObserver() throws {
    let lock = TestSource("lock")
    let connection = try bus.connect(lock, as: .ceiling)
    lock.feed.send(.didFinishLaunching)
    bus.send(.didBecomeActive)
    let tokens = ["first", "second"].map { name in
      bus.addObserver { [clock, trace] event in
        trace("\(name) \(event.fullLine)")
        guard event.kind == .systemDidWake, name == "first" else { return }
        clock.advance(by: .seconds(5))
        lock.feed.disconnect()
        connection.cancel()
        trace("lock: \(lock.feed.send(.didEnterBackground).line)")
      }
    }
    bus.send(.systemDidWake)
    expectNoDifference(
      trace.lines,
      [
        "first 2 systemDidWake background→background manual @3600",
        "lock: suppressed disconnected",
        "second 2 systemDidWake background→background manual @3600",
        "first 3 willEnterForeground background→inactive synthesized @3605",
        "second 3 willEnterForeground background→inactive synthesized @3605",
        "first 4 didBecomeActive inactive→active synthesized @3605",
        "second 4 didBecomeActive inactive→active synthesized @3605",
      ]
    )
    for token in tokens { token.cancel() }
  }
}
