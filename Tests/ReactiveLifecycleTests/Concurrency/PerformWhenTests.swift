import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The calls run on the main actor, so that they wait, registered, once the main queue has drained.
@Suite("Concurrency: perform(when:)")
@MainActor
struct PerformWhenTests {
  private let trace = Trace()
  private let bus = LifecycleBus(clock: ManualClock())

  private func once() -> Task<Int, any Error> {
    Task { [bus, trace] in
      try await bus.perform(when: .atLeast(.active)) {
        trace("ran in \(bus.phase)")
        return 1
      }
    }
  }

  @Test("Runs once, inside the delivery, in its turn; the phase does not change meanwhile")
  func insideDelivery() async {
    let early = bus.addObserver(for: .didBecomeActive) { [trace] _ in trace("early") }
    let task = Task { [bus, trace] in
      try await bus.perform(when: .atLeast(.active), line: 9) {
        trace("\(bus.send(.willResignActive).line) in \(bus.phase)")
        return 1
      }
    }
    await mainQueueToDrain()
    expectNoDifference(bus.liveSubscriptions.map(\.location.line).last, 9)
    let late = bus.addObserver(for: .didBecomeActive) { [trace] _ in trace("late") }
    bus.send(all: .didBecomeActive, .didBecomeActive)
    await expect(task, "returned 1")
    expectNoDifference(trace.lines, ["early", "queued in active", "late", "early", "late"])
    early.cancel()
    late.cancel()
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("When the phase is there it runs at once, without giving up the thread")
  func alreadyThere() async throws {
    bus.send(.didBecomeActive)
    Task { [trace] in trace("another task") }
    #expect(try await bus.perform(when: .atLeast(.inactive)) { 3 } == 3)
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
  }

  @Test("What the closure throws is thrown; cancelled, or on a bus that ends, it does not run")
  func outcomes() async {
    let throwing = Task { [bus] in
      try await bus.perform(when: .atLeast(.active)) { throw BodyError() }
    }
    let cancelled = once()
    await mainQueueToDrain()
    cancelled.cancel()
    bus.send(.didBecomeActive)
    await expect(throwing, "threw BodyError()")
    await expect(cancelled, "cancelled")
    let late = once()
    late.cancel()
    await expect(late, "cancelled")
    bus.send(.willResignActive)
    let ended = once()
    await mainQueueToDrain()
    bus.send(.willTerminate)
    await expect(ended, "ended")
    await expect(once(), "ended")
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
  }
}
