import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The state beside the phase that says whether protected data is available.
@Suite("Concurrency: protected data")
@MainActor
struct ProtectedDataTests {
  private let trace = Trace()
  private let bus = LifecycleBus(clock: ManualClock())

  private func wait() -> Task<Void, any Error> {
    Task { [bus] in try await bus.waitForProtectedData() }
  }

  @Test("It is available unless a notice says otherwise, and changes in the bus's order")
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

  @Test("A wait returns without giving up the thread while it is available")
  func available() async throws {
    Task { [trace] in trace("another task") }
    try await bus.waitForProtectedData()
    bus.send(.willTerminate)
    try await bus.waitForProtectedData()
    expectNoDifference(trace.lines, [])
    await mainQueueToDrain()
  }

  @Test("A wait returns after the notice, also if it is locked again by then")
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

  @Test("Cancelled before, and while it waits: throws")
  func cancelled() async {
    bus.send(.protectedDataWillBecomeUnavailable)
    let waiting = wait()
    await mainQueueToDrain()
    waiting.cancel()
    bus.send(.protectedDataDidBecomeAvailable)
    await expect(waiting, "cancelled")
    let late = wait()
    late.cancel()
    await expect(late, "cancelled")
  }

  @Test("The bus ends first, or has ended: throws, and says what was waited for")
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

  @Test("A wait does not keep the bus alive, whose release ends it")
  func released() async {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    bus?.send(.protectedDataWillBecomeUnavailable)
    let task = Task { [weak bus] in try await bus?.waitForProtectedData() }
    await mainQueueToDrain()
    expectNoDifference(bus?.diagnostics.liveSubscriptions.count, 1)
    bus = nil
    await expect(task.asVoid(), "ended")
  }

  @Test("The last notice counts, also after its source was disconnected: a wait waits for another")
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

  @Test("A child follows its parent, from its creation on")
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
