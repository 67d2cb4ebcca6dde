import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The calls run on the main actor, so that they wait, registered, once the main queue has drained.
@Suite("Concurrency: waitUntil")
@MainActor
struct WaitUntilTests {
  private func wait(
    _ bus: any WaitingBus,
    _ phase: LifecyclePhase = .active
  ) -> Task<Void, any Error> {
    Task { try await bus.waitUntil(.atLeast(phase)) }
  }

  @Test("Returns without giving up the thread when the phase is there", arguments: BusKind.allCases)
  func alreadyThere(_ kind: BusKind) async throws {
    let bus = kind.makeWaiting()
    bus.send(.didBecomeActive)
    let trace = Trace()
    Task { trace("another task") }
    try await bus.waitUntil(.atLeast(.active))
    try await bus.waitUntil(.atLeast(.inactive))
    bus.send(.willResignActive)
    try await bus.waitUntil(.atMost(.inactive))
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["another task"])
  }

  @Test("Returns at once while another thread delivers")
  func duringDelivery() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let trace = Trace()
    let isDelivering = AsyncGate()
    let mayGoOn = ThreadGate()
    let token = bus.addObserver(for: [.systemDidWake]) { _ in
      isDelivering.open()
      mayGoOn.wait()
    }
    async let delivered: Void = awaitOtherThread { _ = bus.send(.systemDidWake) }
    await isDelivering.opened()
    let task = Task {
      try await bus.waitUntil(.atLeast(.active))
      trace("returned")
    }
    await mainQueueToDrain()
    trace("goes on")
    mayGoOn.open()
    await expect(task, "returned")
    await delivered
    expectNoDifference(trace.lines, ["returned", "goes on"])
    token.cancel()
  }

  @Test("Returns once the phase is at least that", arguments: BusKind.allCases)
  func returnsOnceReached(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let trace = Trace()
    let task = Task {
      try await bus.waitUntil(.atLeast(.inactive))
      trace("inactive")
    }
    await mainQueueToDrain()
    bus.send(all: .didFinishLaunching, .systemDidWake)
    await mainQueueToDrain()
    expectNoDifference(trace.lines, [])
    expectNoDifference(bus.liveSubscriptions.count, 1)
    bus.send(.willEnterForeground)
    await expect(task, "returned")
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Returns once the phase is at most that", arguments: BusKind.allCases)
  func waitedOnTheWayBack(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    bus.send(.didBecomeActive)
    let trace = Trace()
    let task = Task {
      try await bus.waitUntil(.atMost(.background))
      trace("background")
    }
    await mainQueueToDrain()
    bus.send(.willResignActive)
    await mainQueueToDrain()
    expectNoDifference(trace.lines, [])
    bus.send(.didEnterBackground)
    await expect(task, "returned")
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("The end of the process can be waited for", arguments: BusKind.allCases)
  func endOfTheProcessIsAwaited(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = Task { try await bus.waitUntil(.atMost(.terminated)) }
    await mainQueueToDrain()
    bus.send(.willTerminate)
    await expect(task, "returned")
  }

  @Test("It returns after the last observer of willTerminate", arguments: BusKind.allCases)
  func endIsDeliveredFirst(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let trace = Trace()
    // On the way down, the observer that was registered first is the last.
    let first = bus.addObserver(for: .willTerminate) { _ in trace("willTerminate") }
    let task = Task {
      try await bus.waitUntil(.atMost(.terminated))
      trace("returned")
    }
    await mainQueueToDrain()
    await awaitOtherThread { _ = bus.send(.willTerminate) }
    await expect(task, "returned")
    expectNoDifference(trace.lines, ["willTerminate", "returned"])
    first.cancel()
  }

  @Test("Cancelled before: throws even if the phase is there", arguments: BusKind.allCases)
  func cancelledBefore(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    bus.send(.didBecomeActive)
    for phase in [LifecyclePhase.active, .inactive] {
      let task = wait(bus, phase)
      task.cancel()
      await expect(task, "cancelled")
    }
    bus.send(.willResignActive)
    let task = wait(bus)
    task.cancel()
    await expect(task, "cancelled")
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Cancelled while waiting", arguments: BusKind.allCases)
  func cancelledWhileWaiting(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = wait(bus)
    await mainQueueToDrain()
    task.cancel()
    // What comes after the cancellation does not undo it.
    bus.send(.didBecomeActive)
    await expect(task, "cancelled")
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Cancelled after the arrival: returns", arguments: BusKind.allCases)
  func cancelledAfter(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = wait(bus)
    await mainQueueToDrain()
    bus.send(.didBecomeActive)
    task.cancel()
    await expect(task, "returned")
  }

  @Test("Left again before the caller has its turn: returns", arguments: BusKind.allCases)
  func leftAgain(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = wait(bus)
    await mainQueueToDrain()
    bus.send(all: .didBecomeActive, .willTerminate)
    await expect(task, "returned")
  }

  @Test("The bus terminates first", arguments: BusKind.allCases)
  func terminatesFirst(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = wait(bus)
    await mainQueueToDrain()
    bus.send(.willTerminate)
    await expect(task, "ended")
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("The bus has terminated: throws, whatever is waited for", arguments: BusKind.allCases)
  func hasTerminated(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    bus.send(.willTerminate)
    await expect(wait(bus), "ended")
    await expect(Task { try await bus.waitUntil(.atMost(.inactive)) }, "ended")
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Who waits does not keep the bus, whose release ends the wait", arguments: BusKind.allCases)
  func waitingDoesNotKeepTheBus(_ kind: BusKind) async {
    var bus: (any WaitingBus)? = kind.makeWaiting()
    let task = Task { [weak bus] in try await bus?.waitUntil(.atLeast(.active)) }
    await mainQueueToDrain()
    expectNoDifference(bus?.liveSubscriptions.count, 1)
    bus = nil
    await expect(task.asVoid(), "ended")
  }

  @Test("Who waits is named by his line", arguments: BusKind.allCases)
  func waiterIsNamedByItsLine(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = Task { try await bus.waitUntil(.atLeast(.active), line: 7) }
    await mainQueueToDrain()
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [7])
    bus.send(.didBecomeActive)
    await expect(task, "returned")
  }

  @Test("The error says what was waited for and what to do")
  func errorSaysWhatWasWaitedFor() async {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.willTerminate)
    let error = await #expect(throws: LifecycleBusEndedError.self) {
      try await bus.waitUntil(.atLeast(.active))
    }
    expectNoDifference(
      error?.description,
      """
      The lifecycle bus ended before its phase was at least active, and it delivers no more \
      events. Catch this error to stop work that depends on the phase. If the process continues, \
      keep a reference to the bus while a task waits.
      """
    )
    let other = await #expect(throws: LifecycleBusEndedError.self) {
      try await bus.waitUntil(.atMost(.background))
    }
    expectNoDifference(other?.description.contains("at most background"), true)
  }
}

extension Task where Failure == any Error, Success == Void? {
  /// The task, whose bus is expected to have been there when it began.
  func asVoid() -> Task<Void, any Error> {
    Task<Void, any Error> { try #require(try await value) }
  }
}
