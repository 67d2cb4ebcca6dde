import CustomDump
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// How a source comes, fails and goes, and what it leaves behind.
@MainActor
@Suite("Several sources: connections")
struct SourceConnectionTests {
  /// A source that does what a test says when it starts.
  private struct ScriptedSource: LifecycleSource {
    let name: LifecycleSourceName = "scripted"
    let trace: Trace
    let body: @Sendable (LifecycleFeed) throws -> Void
    var onStop: @Sendable () -> Void = {}

    func start(_ input: LifecycleFeed) throws -> @Sendable () -> Void {
      try body(input)
      return { [trace, onStop] in
        onStop()
        trace("stopped")
      }
    }
  }

  private struct NoSuchDevice: Error {}

  @Test(
    "A source that speaks and then fails to start leaves no say behind",
    arguments: BusKind.allCases
  )
  func sendsAndThrows(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    bus.send(.didFinishLaunching)
    let token = bus.addObserver { trace($0.line) }
    let kept = Locked<LifecycleFeed?>(nil)
    let source = ScriptedSource(trace: trace) { input in
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

  @Test("A source that fails while it runs withdraws, once", arguments: BusKind.allCases)
  func failsWhileItRuns(_ kind: BusKind) throws {
    let bus = kind.make()
    let trace = Trace()
    let lock = TestSource("lock", trace: trace)
    let connection = try bus.connect(lock, as: .ceiling)
    bus.send(.didBecomeActive)
    lock.input.send(.didEnterBackground)
    let token = bus.addObserver { trace($0.line) }
    lock.input.disconnect()
    lock.input.disconnect()
    trace(lock.input.send(.didEnterBackground).line)
    connection.cancel()
    expectNoDifference(
      trace.lines,
      [
        "lock started",
        "6 willEnterForeground background→inactive synthesized",
        "7 didBecomeActive inactive→active synthesized",
        "suppressed disconnected",
        "lock stopped",
      ]
    )
    token.cancel()
  }

  @Test(
    "A source that is at its end when it starts is stopped all the same",
    arguments: BusKind.allCases
  )
  func endsWhileItStarts(_ kind: BusKind) throws {
    let bus = kind.make()
    let trace = Trace()
    let token = bus.addObserver { trace($0.line) }
    let source = ScriptedSource(trace: trace) { input in
      input.send(.didFinishLaunching)
      input.disconnect()
      trace(input.send(.didBecomeActive).line)
    }
    let connection = try bus.connect(source)
    connection.cancel()
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

  @Test(
    "Cancelled twice, and then released, a connection withdraws once",
    arguments: BusKind.allCases
  )
  func cancelledTwice(_ kind: BusKind) throws {
    let bus = kind.make()
    let trace = Trace()
    let sources = ["one", "two"].map { TestSource($0, trace: trace) }
    var first: LifecycleCancellable? = try bus.connect(sources[0], as: .participant("window"))
    let second = try bus.connect(sources[1], as: .participant("window"))
    sources[0].input.send(.didBecomeActive)
    let token = bus.addObserver { trace($0.line) }
    first?.cancel()
    first?.cancel()
    first = nil
    // Counted twice, this would have taken the participant away from its second source.
    expectNoDifference(trace.take(), ["one started", "two started", "one stopped"])
    expectNoDifference(bus.diagnostics.participants.map(\.phase), [.active])
    expectNoDifference(sources[1].input.send(.didBecomeActive), .suppressed(.duplicate))
    token.cancel()
    second.cancel()
  }

  @Test("Released, a connection withdraws what its source said", arguments: BusKind.allCases)
  func releaseWithdrawsTheSource(_ kind: BusKind) throws {
    let bus = kind.make()
    let trace = Trace()
    let window = TestSource("window", trace: trace)
    var connection: LifecycleCancellable? = try bus.connect(window, as: .participant("window"))
    bus.send(.willEnterForeground)
    window.input.send(.didBecomeActive)
    let token = bus.addObserver { trace($0.line) }
    _ = connection
    connection = nil
    expectNoDifference(
      trace.lines,
      ["window started", "4 willResignActive active→inactive synthesized", "window stopped"]
    )
    token.cancel()
  }

  @Test(
    "Cancelled elsewhere, a source is silent at once, and the bus follows",
    arguments: BusKind.allCases
  )
  func cancelledElsewhere(_ kind: BusKind) async throws {
    let bus = kind.make()
    let trace = Trace()
    let lock = TestSource("lock")
    let connection = try bus.connect(lock, as: .ceiling)
    bus.send(.didBecomeActive)
    lock.input.send(.willResignActive)
    let token = bus.addObserver { trace($0.line) }
    let outcome = onOtherThread {
      connection.cancel()
      return lock.input.send(.didEnterBackground)
    }
    expectNoDifference(outcome, .suppressed(.disconnected))
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["5 didBecomeActive inactive→active synthesized"])
    token.cancel()
  }

  @Test(
    "It starts on the thread that connects, and stops on the one that cancels",
    arguments: BusKind.allCases
  )
  func callersThread(_ kind: BusKind) {
    let bus = kind.make()
    let trace = Trace()
    let caller = Locked<ObjectIdentifier?>(nil)
    let isCaller: @Sendable () -> Bool = { caller.withLock { $0 == currentThread() } }
    // The main actor, where a main-actor bus delivers, is blocked here.
    let connection = onOtherThread {
      caller.withLock { $0 = currentThread() }
      let source = ScriptedSource(
        trace: trace,
        body: { _ in trace("start on the caller's thread: \(isCaller())") },
        onStop: { trace("stop on the caller's thread: \(isCaller())") }
      )
      defer { trace("connected") }
      return try? bus.connect(source)
    }
    onOtherThread {
      caller.withLock { $0 = currentThread() }
      connection?.cancel()
      trace("cancelled")
    }
    expectNoDifference(
      trace.lines,
      [
        "start on the caller's thread: true", "connected",
        "stop on the caller's thread: true", "stopped", "cancelled",
      ]
    )
  }

  @Test("Scopes hold connections", arguments: BusKind.allCases)
  func inAScope(_ kind: BusKind) throws {
    let bus = kind.make()
    let trace = Trace()
    let scope = LifecycleScope("session")
    let lock = TestSource("lock", trace: trace)
    try bus.connect(lock, as: .ceiling).store(in: scope)
    bus.send(.didBecomeActive)
    lock.input.send(.didFinishLaunching)
    expectNoDifference(bus.phase, .background)
    scope.end()
    expectNoDifference(bus.phase, .active)
    expectNoDifference(trace.lines, ["lock started", "lock stopped"])
  }
}
