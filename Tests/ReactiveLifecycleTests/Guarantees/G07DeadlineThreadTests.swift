import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Which thread a source's deadline applies to.
@Suite("G7 Where observers run: the thread that waits")
struct G07DeadlineThreadTests {
  @Test("A nonisolated bus calls observers on another thread, so that the deadline holds for them")
  func observersRunElsewhere() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let source = TestSource()
    let connection = try bus.connect(source)
    let caller = Locked<ObjectIdentifier?>(nil)
    let isRunning = ThreadGate()
    let hangs = ThreadGate()
    let token = bus.addObserver { _ in
      isRunning.open()
      // Here it would hang forever.
      if caller.withLock({ $0 }) != currentThread() { hangs.wait() }
    }
    let outcome = await awaitOtherThread {
      caller.withLock { $0 = currentThread() }
      let outcome = source.input.sendAndWait(.didFinishLaunching, until: .now + .milliseconds(10))
      // The observer compares the threads while both exist.
      isRunning.wait()
      hangs.open()
      return outcome
    }
    #expect(outcome.isTimedOut)
    token.cancel()
    connection.cancel()
  }

  @Test("Inside an observer it waits in vain, until the deadline")
  func insideAnObserver() async throws {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    let source = TestSource()
    let connection = try bus.connect(source)
    let trace = Trace()
    let isDone = AsyncGate()
    let line: UInt = #line + 1
    let token = bus.addObserver { event in
      trace("\(event.kind)")
      guard event.kind == .systemWillSleep else { return isDone.open() }
      let clock = ContinuousClock()
      var outcome: LifecycleDeliveryOutcome?
      let waited = clock.measure {
        outcome = source.input.sendAndWait(.systemDidWake, until: clock.now + .milliseconds(100))
      }
      // Less than the deadline: the thread may be preempted between the readings of two clocks.
      trace("waited: \(waited >= .milliseconds(50))")
      trace("running line: \(outcome?.runningObserver?.line == line)")
    }
    await awaitOtherThread { _ = bus.send(.systemWillSleep) }
    await isDone.opened()
    expectNoDifference(
      trace.lines,
      ["systemWillSleep", "waited: true", "running line: true", "systemDidWake"]
    )
    token.cancel()
    connection.cancel()
  }
}
