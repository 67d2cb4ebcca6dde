import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Concurrency: repeatWhile")
@MainActor
struct RepeatWhileTests {
  private let trace = Trace()

  @Test("Runs on arrival, is cancelled inside the delivery of leaving", arguments: BusKind.allCases)
  func cancelledInsideDelivery(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    let task = Task { try await bus.repeating(.atLeast(.active)) { try await body() } }
    bus.send(.didBecomeActive)
    await body.started.receive()
    trace("leaving")
    bus.send(.willResignActive)
    trace("left")
    body.end.send(.cancelling)
    bus.send(.didBecomeActive)
    await body.started.receive()
    bus.send(.willTerminate)
    trace("terminated")
    body.end.send(.cancelling)
    await expect(task, "returned")
    expectNoDifference(
      trace.lines.filter { $0 != "ended" },
      ["started", "leaving", "cancelled", "left", "started", "cancelled", "terminated"]
    )
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("The main-actor body starts one turn of the executor after the arrival")
  func oneTurn() async {
    let bus = LifecycleBus(clock: ManualClock())
    let task = Task { [trace] in
      try await bus.repeatWhile(.atLeast(.active)) { trace("started") }
    }
    await mainQueueToDrain()
    await mainQueueToDrain()
    bus.send(.didBecomeActive)
    trace("sent")
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["sent", "started"])
    bus.send(.willTerminate)
    await expect(task, "returned")
  }

  @Test("Left before the body has its turn: it does not start")
  func leftAtOnce() async {
    let bus = LifecycleBus(clock: ManualClock())
    let task = Task { [trace] in
      try await bus.repeatWhile(.atLeast(.active)) { trace("started") }
    }
    await mainQueueToDrain()
    await mainQueueToDrain()
    bus.send(all: .didBecomeActive, .willResignActive)
    await mainQueueToDrain()
    bus.send(.willTerminate)
    await expect(task, "returned")
    expectNoDifference(trace.lines, [])
  }

  @Test(
    "A body that returns by itself is run again at the next arrival",
    arguments: BusKind.allCases
  )
  func returnsByItself(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    bus.send(.willEnterForeground)
    let task = Task { try await bus.repeating(.atLeast(.inactive)) { try await body() } }
    await body.started.receive()
    body.end.send(.returning)
    // To and fro inside the condition is no arrival.
    bus.send(all: .didBecomeActive, .systemDidWake, .willResignActive, .didBecomeActive)
    bus.send(all: .didEnterBackground, .willEnterForeground)
    await body.started.receive()
    body.end.send(.returning)
    bus.send(.willTerminate)
    await expect(task, "returned")
    expectNoDifference(trace.lines.filter { $0 == "started" }.count, 2)
  }

  @Test(
    "A bounce while the body runs: cancelled once, run again after its clean-up",
    arguments: BusKind.allCases
  )
  func bounceWhileTheBodyRuns(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(.atLeast(.active)) { try await body() } }
    await body.started.receive()
    bus.send(all: .willResignActive, .didBecomeActive, .willResignActive, .didBecomeActive)
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["started", "cancelled"])
    body.end.send(.cancelling)
    await body.started.receive()
    expectNoDifference(trace.take(), ["ended", "started"])
    bus.send(.willTerminate)
    body.end.send(.returning)
    await expect(task, "returned")
  }

  @Test("A bounce and leaving during the clean-up: not run again", arguments: BusKind.allCases)
  func bounceAndLeave(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(.atLeast(.active)) { try await body() } }
    await body.started.receive()
    bus.send(all: .willResignActive, .didBecomeActive, .willResignActive)
    body.end.send(.cancelling)
    await mainQueueToDrain()
    bus.send(.willTerminate)
    await expect(task, "returned")
    expectNoDifference(trace.lines, ["started", "cancelled", "ended"])
  }

  @Test("On the other side: at most", arguments: BusKind.allCases)
  func atMost(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(.atMost(.background)) { try await body() } }
    bus.send(.didEnterBackground)
    await body.started.receive()
    bus.send(.willEnterForeground)
    body.end.send(.cancelling)
    bus.send(.didEnterBackground)
    await body.started.receive()
    // The bound lets `terminated` in, and the end of the bus cancels all the same.
    bus.send(.willTerminate)
    expectNoDifference(trace.take(), ["started", "cancelled", "ended", "started", "cancelled"])
    body.end.send(.cancelling)
    await expect(task, "returned")
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "A body that may run until the end is cancelled in its turn of willTerminate",
    arguments: BusKind.allCases
  )
  func cancelledAfterTheEnd(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    // On the way down, the observer that was registered first is the last.
    let first = bus.addObserver(for: .willTerminate) { [trace] _ in trace("willTerminate") }
    bus.send(.didFinishLaunching)
    let task = Task { try await bus.repeating(.atMost(.background)) { try await body() } }
    await body.started.receive()
    bus.send(.willTerminate)
    trace("sent")
    body.end.send(.cancelling)
    await expect(task, "returned")
    expectNoDifference(
      trace.lines.filter { $0 != "ended" },
      ["started", "willTerminate", "cancelled", "sent"]
    )
    first.cancel()
  }

  private enum Request {
    @TaskLocal static var name = "none"
  }

  @Test("Task-local values and the priority reach the body", arguments: BusKind.allCases)
  func taskLocals(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    bus.send(.didBecomeActive)
    let body = RepeatedBody(trace)
    let task = Request.$name.withValue("seven") {
      Task(priority: .low) { [trace] in
        try await bus.repeating(.atLeast(.active)) {
          trace("\(Request.name) \(Task.basePriority == .low)")
          try await body()
        }
      }
    }
    for end in [RepeatedBody.End.returning, .returning] {
      await body.started.receive()
      body.end.send(end)
      bus.send(all: .willResignActive, .didBecomeActive)
    }
    await body.started.receive()
    bus.send(.willTerminate)
    body.end.send(.returning)
    await expect(task, "returned")
    expectNoDifference(
      trace.lines.filter { $0.hasSuffix("true") },
      ["seven true", "seven true", "seven true"]
    )
  }

  @Test("Two callers at once run side by side", arguments: BusKind.allCases)
  func twoCallers(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let bodies = [RepeatedBody(trace), RepeatedBody(trace)]
    bus.send(.didBecomeActive)
    let tasks = bodies.map { body in
      Task { try await bus.repeating(.atLeast(.active)) { try await body() } }
    }
    for body in bodies { await body.started.receive() }
    bus.send(.willTerminate)
    for body in bodies { body.end.send(.cancelling) }
    for task in tasks { await expect(task, "returned") }
  }

  @Test("The caller is named by his line", arguments: BusKind.allCases)
  func callerIsNamedByItsLine(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(.atLeast(.active), line: 8) { try await body() } }
    await body.started.receive()
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [8])
    bus.send(.willTerminate)
    body.end.send(.returning)
    await expect(task, "returned")
  }

  @Test("Generic code repeats a body off the main actor", arguments: BusKind.allCases)
  func genericCodeRepeatsBodyOffMainActor(_ kind: BusKind) async throws {
    func repeatBody(
      _ bus: some LifecycleBusProtocol,
      _ lines: Mailbox<String>
    ) async throws {
      let mainThread = currentThread()
      try await bus.repeatWhile(.atLeast(.active)) {
        lines.send(currentThread() == mainThread ? "main thread" : "another thread")
        try? await Task.sleep(for: .seconds(3600))
        lines.send("cancelled")
      }
    }
    let bus = kind.make()
    bus.send(.didBecomeActive)
    let lines = Mailbox<String>()
    let task = Task { try await repeatBody(bus, lines) }
    let first = await lines.receive()
    expectNoDifference(first, "another thread")
    bus.send(.willResignActive)
    let second = await lines.receive()
    expectNoDifference(second, "cancelled")
    bus.send(.willTerminate)
    try await task.value
  }
}
