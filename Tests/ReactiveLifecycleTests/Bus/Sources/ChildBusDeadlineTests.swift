import CustomDump
import Dispatch
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A thread that waits for a parent's observers waits for its children's too.
@MainActor
@Suite("Buses as sources: delivery with a deadline")
struct ChildBusDeadlineTests {
  private nonisolated static let farAway = ContinuousClock.Instant.now + .seconds(86_400)

  @Test("It waits for the child's observers, in their turn")
  func waitsForObserversOfTheChild() async throws {
    let parent = LifecycleBus(clock: ManualClock())
    let source = TestSource("system")
    let connection = try parent.connect(source)
    let trace = Trace()
    let before = parent.addObserver { trace("before \($0.kind)") }
    let child = LifecycleBus(parent: parent)
    let inside = child.addObserver { trace("child \($0.kind)") }
    let after = parent.addObserver { trace("after \($0.kind)") }
    let outcome = await awaitOtherThread {
      let outcome = source.input.sendAndWait(.systemWillSleep, until: Self.farAway)
      trace("returned")
      return outcome
    }
    #expect(outcome == .finished)
    expectNoDifference(
      trace.lines,
      ["before systemWillSleep", "child systemWillSleep", "after systemWillSleep", "returned"]
    )
    for token in [before, inside, after] { token.cancel() }
    connection.cancel()
  }

  @Test("A child that is delivering for another thread is not waited for")
  func busyChild() async throws {
    let clock = ManualClock()
    let parent = NonisolatedLifecycleBus(clock: clock)
    let child = NonisolatedLifecycleBus(clock: clock)
    let source = TestSource("system")
    let connections = [try parent.connect(source), try child.connect(.bus(parent), as: .ceiling)]
    let trace = Trace()
    let isRunning = ThreadGate()
    let isFree = ThreadGate()
    let token = child.addObserver { event in
      trace("\(event.kind)")
      guard event.kind == .didReceiveMemoryWarning else { return }
      isRunning.open()
      isFree.wait()
    }
    await awaitOtherThread {
      let isDone = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        child.send(.didReceiveMemoryWarning)
        isDone.signal()
      }
      isRunning.wait()
      trace("\(source.input.sendAndWait(.systemWillSleep, until: Self.farAway))")
      isFree.open()
      isDone.wait()
    }
    expectNoDifference(trace.lines, ["didReceiveMemoryWarning", "finished", "systemWillSleep"])
    token.cancel()
    for connection in connections { connection.cancel() }
  }

  @Test("A child that delivers elsewhere is not waited for")
  func childElsewhere() async throws {
    let clock = ManualClock()
    let parent = NonisolatedLifecycleBus(clock: clock)
    let child = LifecycleBus(clock: clock)
    let source = TestSource("system")
    let connections = [try parent.connect(source), try child.connect(.bus(parent), as: .ceiling)]
    let trace = Trace()
    let outer = parent.addObserver { trace("parent \($0.kind)") }
    let inner = child.addObserver { trace("child \($0.kind)") }
    // The main actor, where the child delivers, is blocked here.
    let outcome = onOtherThread {
      source.input.sendAndWait(.systemWillSleep, until: Self.farAway)
    }
    expectNoDifference(outcome, .finished)
    expectNoDifference(trace.take(), ["parent systemWillSleep"])
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["child systemWillSleep"])
    for token in [outer, inner] { token.cancel() }
    for connection in connections { connection.cancel() }
  }

  @Test("At the deadline it names the observer of the child, or of the grandchild, that hangs")
  func namesTheChildsObserver() async throws {
    let clock = ManualClock()
    let parent = NonisolatedLifecycleBus(clock: clock)
    let child = NonisolatedLifecycleBus(clock: clock)
    let grandchild = NonisolatedLifecycleBus(clock: clock)
    let source = TestSource("system")
    let connections = [
      try parent.connect(source),
      try child.connect(.bus(parent), as: .ceiling),
      try grandchild.connect(.bus(child), as: .ceiling),
    ]
    for bus in [child, grandchild] {
      let hangs = ThreadGate()
      let isRunning = ThreadGate()
      let scope = LifecycleScope("screen")
      let line: UInt = #line + 1
      bus.addObserver(in: scope, fileID: "Tests/Hanging.swift", line: line) { _ in
        isRunning.open()
        hangs.wait()
      }
      let (outcome, running) = await awaitOtherThread {
        let first = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          _ = source.input.sendAndWait(.systemWillSleep, until: Self.farAway)
          first.signal()
        }
        isRunning.wait()
        let outcome = source.input.sendAndWait(.systemWillSleep, until: .now)
        let running = parent.diagnostics.runningObserver
        hangs.open()
        first.wait()
        return (outcome, running)
      }
      let hanging = LifecycleObserverLocation(
        scope: "screen",
        fileID: "Tests/Hanging.swift",
        line: line
      )
      expectNoDifference(outcome, .timedOut(running: hanging))
      expectNoDifference(running, hanging)
      scope.end()
    }
    // What was late is delivered before what follows.
    let finished = await awaitOtherThread {
      source.input.sendAndWait(.systemDidWake, until: Self.farAway)
    }
    expectNoDifference(finished, .finished)
    for connection in connections { connection.cancel() }
  }
}
