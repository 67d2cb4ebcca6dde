import CustomDump
import Dispatch
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Threads that must wait: sources with roles, and the observers of the buses inside a bus.
@MainActor
@Suite("Several sources: delivery with a deadline")
struct SourceDeadlineTests {
  private nonisolated static let farAway = ContinuousClock.Instant.now + .seconds(86_400)
  private let clock = ManualClock()
  private let source = TestSource("system")
  private let trace = Trace()

  @Test("What is masked is not waited for")
  func maskedIsNotWaitedFor() throws {
    let bus = LifecycleBus(clock: clock)
    let lock = TestSource("lock")
    let connections = [
      try bus.connect(lock, as: .ceiling), try bus.connect(source, as: .participant("window")),
    ]
    lock.feed.send(.didFinishLaunching)
    source.feed.send(.didFinishLaunching)
    // The main actor is blocked here: a wait would last until the deadline.
    let outcome = onOtherThread { [source] in
      source.feed.sendAndWait(.didBecomeActive, until: Self.farAway)
    }
    expectNoDifference(outcome, .suppressed(.masked))
    // It counted: what the ceiling lets through now is no repeat.
    expectNoDifference(lock.feed.send(.didBecomeActive), .delivered)
    for connection in connections { connection.cancel() }
  }

  @Test("Begun, an input counts at once; its end is told after its own observers")
  func begunInputCountsAtOnce() async throws {
    let bus = LifecycleBus(clock: clock)
    let lock = TestSource("lock")
    let connections = [
      try bus.connect(source, as: .participant("window")), try bus.connect(lock, as: .ceiling),
    ]
    lock.feed.send(.willResignActive)
    let token = bus.addObserver { [trace] in trace($0.line) }
    let suppressed = bus.suppressedInputs.sink { [trace] in trace($0.line) }
    let outcomes = onOtherThread { [source, trace] in
      [
        source.feed.send(.didFinishLaunching) { trace("launched") },
        // A repeat by now, though the first has not been delivered.
        source.feed.send(.didFinishLaunching) { trace("launched again") },
        lock.feed.send(.didEnterBackground) { trace("locked") },
      ]
    }
    expectNoDifference(outcomes, [.queued, .suppressed(.duplicate), .suppressed(.masked)])
    await mainQueueToDrain()
    expectNoDifference(
      trace.take(),
      [
        "3 didEnterBackground inactive→background synthesized",
        "launched",
        "didFinishLaunching duplicate source(system)",
        "launched again",
        "didEnterBackground masked source(lock)",
        "locked",
      ]
    )
    connections[0].cancel()
    let last = source.feed.send(.didBecomeActive) { [trace] in trace("at once") }
    expectNoDifference(last, .suppressed(.disconnected))
    #expect(trace.lines.contains("at once"))
    token.cancel()
    suppressed.cancel()
    connections[1].cancel()
  }

  // MARK: Buses inside a bus

  @Test("It waits for the child's observers, in their turn")
  func waitsForObserversOfTheChild() async throws {
    let parent = LifecycleBus(clock: clock)
    let connection = try parent.connect(source)
    let before = parent.addObserver { [trace] in trace("before \($0.kind)") }
    let child = LifecycleBus(parent: parent)
    let inside = child.addObserver { [trace] in trace("child \($0.kind)") }
    let after = parent.addObserver { [trace] in trace("after \($0.kind)") }
    let outcome = await awaitOtherThread { [source, trace] in
      let outcome = source.feed.sendAndWait(.systemWillSleep, until: Self.farAway)
      trace("returned")
      return outcome
    }
    expectNoDifference(outcome, .finished)
    expectNoDifference(
      trace.lines,
      ["before systemWillSleep", "child systemWillSleep", "after systemWillSleep", "returned"]
    )
    for token in [before, inside, after] { token.cancel() }
    connection.cancel()
  }

  @Test("A child that is delivering for another thread is not waited for")
  func busyChild() async throws {
    let parent = NonisolatedLifecycleBus(clock: clock)
    let child = NonisolatedLifecycleBus(clock: clock)
    let connections = [try parent.connect(source), try child.connect(.bus(parent), as: .ceiling)]
    let isRunning = AsyncGate()
    let isFree = ThreadGate()
    let token = child.addObserver { [trace] event in
      trace("\(event.kind)")
      guard event.kind == .didReceiveMemoryWarning else { return }
      isRunning.open()
      isFree.wait()
    }
    async let busy: Void = awaitOtherThread { _ = child.send(.didReceiveMemoryWarning) }
    await isRunning.opened()
    let outcome = await awaitOtherThread { [source] in
      source.feed.sendAndWait(.systemWillSleep, until: Self.farAway)
    }
    trace("\(outcome)")
    isFree.open()
    await busy
    expectNoDifference(trace.lines, ["didReceiveMemoryWarning", "finished", "systemWillSleep"])
    token.cancel()
    for connection in connections { connection.cancel() }
  }

  @Test("A child that delivers elsewhere is not waited for")
  func childElsewhere() async throws {
    let parent = NonisolatedLifecycleBus(clock: clock)
    let child = LifecycleBus(parent: parent)
    let connection = try parent.connect(source)
    let outer = parent.addObserver { [trace] in trace("parent \($0.kind)") }
    let inner = child.addObserver { [trace] in trace("child \($0.kind)") }
    // The main actor, where the child delivers, is blocked here.
    let outcome = onOtherThread { [source] in
      source.feed.sendAndWait(.systemWillSleep, until: Self.farAway)
    }
    expectNoDifference(outcome, .finished)
    expectNoDifference(trace.take(), ["parent systemWillSleep"])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["child systemWillSleep"])
    for token in [outer, inner] { token.cancel() }
    connection.cancel()
  }

  @Test("At the deadline it names the observer of the grandchild that hangs")
  func namesTheGrandchildsObserver() async throws {
    let buses = (0..<3).map { _ in NonisolatedLifecycleBus(clock: clock) }
    let connections = [
      try buses[0].connect(source),
      try buses[1].connect(.bus(buses[0]), as: .ceiling),
      try buses[2].connect(.bus(buses[1]), as: .ceiling),
    ]
    let hangs = ThreadGate()
    let isRunning = AsyncGate()
    let scope = LifecycleScope("screen")
    buses[2].addObserver(in: scope, fileID: "Tests/Hanging.swift", line: 12) { _ in
      isRunning.open()
      hangs.wait()
    }
    async let first = awaitOtherThread { [source] in
      source.feed.sendAndWait(.systemWillSleep, until: Self.farAway)
    }
    await isRunning.opened()
    let (outcome, running) = await awaitOtherThread { [source] in
      (
        source.feed.sendAndWait(.systemWillSleep, until: .now),
        buses[0].diagnostics.runningObserver
      )
    }
    hangs.open()
    #expect(await first == .finished)
    let hanging = LifecycleObserverLocation(
      scope: "screen",
      fileID: "Tests/Hanging.swift",
      line: 12
    )
    expectNoDifference(outcome, .timedOut(running: hanging))
    expectNoDifference(running, hanging)
    scope.end()
    for connection in connections { connection.cancel() }
  }
}
