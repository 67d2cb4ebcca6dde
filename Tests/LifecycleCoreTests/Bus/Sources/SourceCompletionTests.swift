import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// Threads that must wait: sources with roles, and the observers of the buses inside a bus.
@MainActor
@Suite("Several sources: sending with a completion")
struct SourceCompletionTests {
  private let clock = ManualClock()
  private let source = TestSource("system")
  private let trace = Trace()

  @Test("An input counts when it is sent; its completion follows its own observers")
  func inputCountsAtOnce() async throws {
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

  @Test("The completion does not wait for a child that delivers elsewhere")
  func childElsewhere() async throws {
    let parent = NonisolatedLifecycleBus(clock: clock)
    let child = LifecycleBus(parent: parent)
    let connection = try parent.connect(source)
    let outer = parent.addObserver { [trace] in trace("parent \($0.kind)") }
    let inner = child.addObserver { [trace] in trace("child \($0.kind)") }
    // The main actor, where the child delivers, is blocked here.
    let outcome = onOtherThread { [source] in source.feed.sendAndBlock(.systemWillSleep) }
    expectNoDifference(outcome, .queued)
    expectNoDifference(trace.take(), ["parent systemWillSleep"])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["child systemWillSleep"])
    for token in [outer, inner] { token.cancel() }
    connection.cancel()
  }

  @Test("While it is awaited, the observer of the grandchild that hangs is known")
  func observerOfTheGrandchildIsKnown() async throws {
    let buses = (0..<3).map { _ in NonisolatedLifecycleBus(clock: clock) }
    let connections = [
      try buses[0].connect(source),
      try buses[1].connect(.bus(buses[0]), as: .ceiling),
      try buses[2].connect(.bus(buses[1]), as: .ceiling),
    ]
    let hangs = ThreadGate()
    let (isRunning, isDone) = (AsyncGate(), AsyncGate())
    let scope = LifecycleScope("screen")
    buses[2].addObserver(in: scope, fileID: "Tests/Hanging.swift", line: 12) { _ in
      isRunning.open()
      hangs.wait()
    }
    source.feed.send(.systemWillSleep) { isDone.open() }
    await isRunning.opened()
    expectNoDifference(
      buses[0].diagnostics.runningObserver,
      LifecycleObserverLocation(scope: "screen", fileID: "Tests/Hanging.swift", line: 12)
    )
    hangs.open()
    await isDone.opened()
    scope.end()
    for connection in connections { connection.cancel() }
  }
}
