import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The calls run on the main actor, so that they wait, registered, once the main queue has drained.
@Suite("Concurrency: perform(when:)")
@MainActor
struct PerformWhenTests {
  private let trace = Trace()

  private func once(
    _ bus: any WaitingBus,
    _ phase: LifecyclePhase = .active
  ) -> Task<Int, any Error> {
    Task { [trace] in
      try await bus.once(.atLeast(phase)) {
        trace("ran in \(bus.phase)")
        return 1
      }
    }
  }

  @Test(
    "Runs at once, without giving up the thread, when the phase is there",
    arguments: BusKind.allCases
  )
  func alreadyThere(_ kind: BusKind) async throws {
    let bus = kind.makeWaiting()
    bus.send(.didBecomeActive)
    Task { [trace] in trace("another task") }
    let thread = currentThread()
    #expect(try await bus.once(.atLeast(.inactive)) { currentThread() } == thread)
    bus.send(.willResignActive)
    #expect(try await bus.once(.atMost(.inactive)) { 3 } == 3)
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
    await mainQueueToDrain()
  }

  @Test("Runs once, inside the delivery, in its turn", arguments: BusKind.allCases)
  func insideDelivery(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let early = bus.addObserver { [trace] in trace("early \($0.kind)") }
    let task = once(bus)
    await mainQueueToDrain()
    let late = bus.addObserver { [trace] in trace("late \($0.kind)") }
    bus.send(.didFinishLaunching)
    trace("sending")
    bus.send(all: .didBecomeActive, .willResignActive, .didBecomeActive)
    trace("sent")
    await expect(task, "returned 1")
    expectNoDifference(
      trace.lines,
      [
        "early didFinishLaunching", "late didFinishLaunching", "sending",
        "early willEnterForeground", "late willEnterForeground",
        "early didBecomeActive", "ran in active", "late didBecomeActive",
        "late willResignActive", "early willResignActive",
        "early didBecomeActive", "late didBecomeActive", "sent",
      ]
    )
    early.cancel()
    late.cancel()
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("On a LifecycleBus it runs on the main actor, whoever sends and whoever calls")
  func onMainActor() async {
    let bus = LifecycleBus(clock: ManualClock())
    let waiting = Task { [trace] in
      try await bus.perform(when: .atLeast(.active)) {
        trace("waiting, on the main actor: \(MainQueue.isCurrent)")
      }
    }
    await mainQueueToDrain()
    await awaitOtherThread { _ = bus.send(.didBecomeActive) }
    await expect(waiting, "returned")
    let late = Task.detached { [trace] in
      try await bus.perform(when: .atLeast(.active)) {
        trace("there, on the main actor: \(MainQueue.isCurrent)")
      }
    }
    await expect(late, "returned")
    expectNoDifference(
      trace.lines,
      ["waiting, on the main actor: true", "there, on the main actor: true"]
    )
  }

  @Test("Called off the main actor, with the phase there: where the bus delivers")
  func genericCodeOffMainActor() async throws {
    let onMainActor = LifecycleBus(clock: ManualClock())
    let nonisolated = NonisolatedLifecycleBus(clock: ManualClock())
    onMainActor.send(.didBecomeActive)
    nonisolated.send(.didBecomeActive)
    #expect(try await Self.performElsewhere(onMainActor) == "main actor")
    #expect(try await Self.performElsewhere(nonisolated) == "calling thread")
  }

  @concurrent
  nonisolated private static func performElsewhere(
    _ bus: some LifecycleBusProtocol
  ) async throws -> String {
    let caller = currentThread()
    return try await bus.perform(when: .atLeast(.active)) {
      if MainQueue.isCurrent { return "main actor" }
      return currentThread() == caller ? "calling thread" : "another thread"
    }
  }

  @Test("The phase does not change while it runs", arguments: BusKind.allCases)
  func phaseDoesNotChange(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    for isThere in [false, true] {
      let task = Task { [trace] in
        try await bus.once(.atLeast(.inactive)) {
          for input in [LifecycleEvent.Kind.didBecomeActive, .didEnterBackground] {
            trace("\(bus.send(input).line): \(bus.phase)")
          }
        }
      }
      if !isThere {
        await mainQueueToDrain()
        bus.send(.willEnterForeground)
      }
      await expect(task, "returned")
      expectNoDifference(trace.take(), ["queued: inactive", "queued: inactive"])
      #expect(bus.phase == .background)
      bus.send(.willEnterForeground)
    }
  }

  @Test("Called inside a delivery, runs after the event", arguments: BusKind.allCases)
  func calledInsideDelivery(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = UncheckedBox<Task<Int, any Error>>()
    let token = bus.addObserver(for: [.didBecomeActive]) { [trace] _ in
      trace("began")
      // The observers of both kinds of bus run on the main actor here.
      MainActor.assumeIsolated { task.value = Task { try await bus.once(.atLeast(.active)) { 2 } } }
      trace("delivered")
    }
    bus.send(.didBecomeActive)
    await expect(task.value!, "returned 2")
    expectNoDifference(trace.lines, ["began", "delivered"])
    token.cancel()
  }

  @Test("Runs on the way back", arguments: BusKind.allCases)
  func atMost(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    bus.send(.didBecomeActive)
    let task = Task { [trace] in
      try await bus.once(.atMost(.background)) { trace("saved in \(bus.phase)") }
    }
    await mainQueueToDrain()
    bus.send(.didEnterBackground)
    expectNoDifference(trace.take(), ["saved in background"])
    await expect(task, "returned")
  }

  @Test("What the closure throws is thrown, and it is not run again", arguments: BusKind.allCases)
  func whatClosureThrowsIsThrown(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = Task { [trace] in
      try await bus.once(.atLeast(.active)) {
        trace("ran")
        throw BodyError()
      }
    }
    await mainQueueToDrain()
    bus.send(all: .didBecomeActive, .willResignActive, .didBecomeActive)
    await expect(task, "threw BodyError()")
    expectNoDifference(trace.lines, ["ran"])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Cancelled before: never runs, even if the phase is there", arguments: BusKind.allCases)
  func cancelledBefore(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    bus.send(.didBecomeActive)
    let task = once(bus)
    task.cancel()
    await expect(task, "cancelled")
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Cancelled while waiting: never runs", arguments: BusKind.allCases)
  func cancelledWhileWaiting(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = once(bus)
    await mainQueueToDrain()
    task.cancel()
    bus.send(.didBecomeActive)
    await expect(task, "cancelled")
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("Cancelled after it ran: returns its result", arguments: BusKind.allCases)
  func cancelledAfter(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = once(bus)
    await mainQueueToDrain()
    bus.send(.didBecomeActive)
    task.cancel()
    await expect(task, "returned 1")
  }

  @Test("Cancelled while it runs: returns its result", arguments: BusKind.allCases)
  func cancelledWhileRunning(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let box = Locked<Task<Int, any Error>?>(nil)
    let cancel = { @Sendable in box.withLock { $0 }?.cancel() }
    let task = Task {
      try await bus.once(.atLeast(.active)) {
        cancel()
        return 4
      }
    }
    box.withLock { $0 = task }
    await mainQueueToDrain()
    bus.send(.didBecomeActive)
    await expect(task, "returned 4")
  }

  @Test("The bus terminates first: never runs", arguments: BusKind.allCases)
  func terminatesFirst(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = once(bus)
    await mainQueueToDrain()
    bus.send(.willTerminate)
    await expect(task, "ended")
    await expect(once(bus), "ended")
    await expect(
      Task { [trace] in try await bus.once(.atMost(.inactive)) { trace("ran") } },
      "ended"
    )
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("The bus is released first: never runs", arguments: BusKind.allCases)
  func busIsReleasedFirst(_ kind: BusKind) async {
    var bus: (any WaitingBus)? = kind.makeWaiting()
    let task = Task { [weak bus, trace] in
      try await bus?.once(.atLeast(.active)) { trace("ran") }
    }
    await mainQueueToDrain()
    expectNoDifference(bus?.liveSubscriptions.count, 1)
    bus = nil
    await expect(task.asVoid(), "ended")
    expectNoDifference(trace.lines, [])
  }

  @Test("What the closure captured is released with the call", arguments: BusKind.allCases)
  func capturesAreReleasedWithTheCall(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    var canary: Canary? = Canary { [trace] in trace("released") }
    let task = Task { [canary] in
      try await bus.once(.atLeast(.active)) { canary?.sing() }
    }
    canary = nil
    await mainQueueToDrain()
    bus.send(.didBecomeActive)
    await expect(task, "returned")
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["released"])
  }

  @Test("Who waits is named by his line", arguments: BusKind.allCases)
  func waiterIsNamedByItsLine(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let task = Task { try await bus.once(.atLeast(.active), line: 9) {} }
    await mainQueueToDrain()
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [9])
    bus.send(.didBecomeActive)
    await expect(task, "returned")
  }

  @Test("Generic code performs in the delivery of either bus", arguments: BusKind.allCases)
  func genericCodePerformsInDeliveryOfEitherBus(_ kind: BusKind) async {
    func perform(_ bus: some LifecycleBusProtocol, _ trace: Trace) async throws -> Int {
      try await bus.perform(when: .atLeast(.active), line: 5) {
        trace("ran in \(bus.phase)")
        return 2
      }
    }
    let bus = kind.make()
    let task = Task { [trace] in try await perform(bus, trace) }
    await mainQueueToDrain()
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [5])
    bus.send(all: .didBecomeActive, .willResignActive)
    expectNoDifference(trace.lines, ["ran in active"])
    await expect(task, "returned 2")
  }
}
