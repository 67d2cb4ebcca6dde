import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// The calls run on the main actor, so that they wait, registered, once the main queue has drained.
@Suite("waitUntil")
@MainActor
struct WaitUntilTests {
  private let trace = Trace()
  private let bus = LifecycleBus(clock: ManualClock())

  private func wait(
    _ condition: LifecyclePhase.Condition = .atLeast(.active),
    line: UInt = #line
  ) -> Task<Void, any Error> {
    Task { [bus] in try await bus.waitUntil(condition, line: line) }
  }

  @Test("A wait returns without suspension if its condition is met")
  func alreadyThere() async throws {
    bus.send(.didBecomeActive)
    Task { [trace] in trace("another task") }
    try await bus.waitUntil(.atLeast(.inactive))
    bus.send(.willResignActive)
    try await bus.waitUntil(.atMost(.inactive))
    try await bus.waitForProtectedData()
    bus.send(.willTerminate)
    try await bus.waitForProtectedData()
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
  }

  @Test("waitUntil returns at once while another thread delivers")
  func duringDelivery() async {
    let bus = NonisolatedLifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let isDelivering = AsyncGate()
    let mayGoOn = ThreadGate()
    let token = bus.addObserver(for: [.systemDidWake]) { _ in
      isDelivering.open()
      mayGoOn.wait()
    }
    async let delivered: Void = awaitOtherThread { _ = bus.send(.systemDidWake) }
    await isDelivering.opened()
    let task = Task { [trace] in
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

  @Test("waitUntil returns when the phase meets the condition")
  func returnsOnceReached() async {
    let task = wait(.atLeast(.inactive), line: 7)
    let inBackground = wait(.background, line: 8)
    await mainQueueToDrain()
    bus.send(.systemDidWake)
    await mainQueueToDrain()
    expectNoDifference(bus.diagnostics.liveSubscriptions.map(\.location.line), [7, 8])
    bus.send(.didFinishLaunching)
    await expect(inBackground, "returned")
    expectNoDifference(bus.diagnostics.liveSubscriptions.map(\.location.line), [7])
    bus.send(.willEnterForeground)
    await expect(task, "returned")
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("A wait for the end returns after the last observer of willTerminate")
  func endOfTheProcess() async {
    // On the way down, the observer that was registered first is the last.
    let first = bus.addObserver(for: .willTerminate) { [trace] _ in trace("willTerminate") }
    let task = Task { [bus, trace] in
      try await bus.waitUntil(.atMost(.terminated))
      trace("returned")
    }
    await mainQueueToDrain()
    await awaitOtherThread { [bus] in _ = bus.send(.willTerminate) }
    await expect(task, "returned")
    expectNoDifference(trace.lines, ["willTerminate", "returned"])
    first.cancel()
  }

  @Test("A wait throws if it is cancelled before the call, or meanwhile", arguments: [false, true])
  func cancelled(waitsForData: Bool) async {
    func wait() -> Task<Void, any Error> {
      Task { [bus] in
        if waitsForData { return try await bus.waitForProtectedData() }
        try await bus.waitUntil(.active)
      }
    }
    bus.send(.protectedDataWillBecomeUnavailable)
    let waiting = wait()
    await mainQueueToDrain()
    waiting.cancel()
    // An arrival after the cancellation does not undo it.
    bus.send(all: .protectedDataDidBecomeAvailable, .didBecomeActive)
    await expect(waiting, "cancelled")
    let late = wait()
    late.cancel()
    await expect(late, "cancelled")
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("waitUntil returns if it is cancelled, or the phase is left, after the arrival")
  func cancelledAfterArrival() async {
    let tasks = [wait(), wait()]
    await mainQueueToDrain()
    bus.send(all: .didBecomeActive, .willTerminate)
    tasks[0].cancel()
    for task in tasks { await expect(task, "returned") }
  }

  @Test("waitUntil throws if the bus ends first, or has ended")
  func terminates() async {
    let task = wait()
    await mainQueueToDrain()
    bus.send(.willTerminate)
    await expect(task, "ended")
    await expect(wait(), "ended")
    await expect(wait(.atMost(.inactive)), "ended")
    await expect(wait(.background), "ended")
    let error = await #expect(throws: LifecycleBusEndedError.self) {
      try await bus.waitUntil(.atLeast(.active))
    }
    let description = "The lifecycle bus ended before its phase was at least active, "
    #expect(error?.description.hasPrefix(description) == true)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("waitUntil does not keep the bus alive, and ends with it")
  func waitingDoesNotKeepTheBus() async {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    let task = Task { [weak bus] in try await bus?.waitUntil(.atLeast(.active)) }
    await mainQueueToDrain()
    expectNoDifference(bus?.diagnostics.liveSubscriptions.count, 1)
    bus = nil
    await expect(task.asVoid(), "ended")
  }
}

/// The state beside the phase that says whether protected data is available.
@Suite("Protected data")
@MainActor
struct ProtectedDataTests {
  private let trace = Trace()
  private let bus = LifecycleBus(clock: ManualClock())

  private func wait() -> Task<Void, any Error> {
    Task { [bus] in try await bus.waitForProtectedData() }
  }

  @Test("Protected data is available unless a notice says otherwise")
  func changesInOrder() {
    #expect(bus.isProtectedDataAvailable)
    let token = bus.addObserver { [bus, trace] event in
      if event.kind == .didFinishLaunching { bus.send(.protectedDataDidBecomeAvailable) }
      trace("\(event.kind) \(bus.isProtectedDataAvailable)")
    }
    bus.send(all: .protectedDataWillBecomeUnavailable, .didFinishLaunching)
    #expect(bus.isProtectedDataAvailable)
    expectNoDifference(
      trace.lines,
      [
        "protectedDataWillBecomeUnavailable false", "didFinishLaunching false",
        "protectedDataDidBecomeAvailable true",
      ]
    )
    token.cancel()
  }

  @Test("waitForProtectedData returns after the notice, even if data is locked again by then")
  func returnsAfterTheNotice() async {
    bus.send(.protectedDataWillBecomeUnavailable)
    let task = wait()
    await mainQueueToDrain()
    bus.send(all: .didBecomeActive, .protectedDataWillBecomeUnavailable)
    await mainQueueToDrain()
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
    bus.send(all: .protectedDataDidBecomeAvailable, .protectedDataWillBecomeUnavailable)
    await expect(task, "returned")
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("waitForProtectedData throws if the bus ends first, or has ended")
  func ends() async {
    bus.send(.protectedDataWillBecomeUnavailable)
    let waiting = wait()
    await mainQueueToDrain()
    bus.send(.willTerminate)
    await expect(waiting, "ended")
    let error = await #expect(throws: LifecycleBusEndedError.self) {
      try await bus.waitForProtectedData()
    }
    expectNoDifference(
      error?.description,
      """
      The lifecycle bus ended before protected data was available, and it delivers no more events. \
      Catch this error to stop work that depends on that. If the process continues, keep a \
      reference to the bus while a task waits.
      """
    )
  }

  @Test("The last notice counts even after its source was disconnected")
  func disconnected() async throws {
    let source = TestSource()
    let connection = try bus.connect(source)
    source.feed.send(.protectedDataWillBecomeUnavailable)
    connection.cancel()
    #expect(!bus.isProtectedDataAvailable)
    let task = wait()
    await mainQueueToDrain()
    bus.send(.protectedDataDidBecomeAvailable)
    await expect(task, "returned")
  }

  @Test("Protected data of a child bus is that of its parent")
  func child() async throws {
    bus.send(all: .protectedDataWillBecomeUnavailable, .didFinishLaunching)
    let child = LifecycleBus(parent: bus)
    #expect(!child.isProtectedDataAvailable)
    let task = Task { try await child.waitForProtectedData() }
    await mainQueueToDrain()
    bus.send(.protectedDataDidBecomeAvailable)
    await expect(task, "returned")
    #expect(child.isProtectedDataAvailable)
    bus.send(.protectedDataWillBecomeUnavailable)
    #expect(!child.isProtectedDataAvailable)
  }
}
