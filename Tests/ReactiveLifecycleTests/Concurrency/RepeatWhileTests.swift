import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Concurrency: repeatWhile")
@MainActor
struct RepeatWhileTests {
  private let trace = Trace()

  /// A body in a test: it says when it starts and when it is cancelled, and ends when it is told
  /// how.
  private final class Body: Sendable {
    enum End { case returning, throwing, cancelling }

    let trace: Trace
    let started = Mailbox<Void>()
    let end = Mailbox<End>()
    private let isRunning = Locked(false)

    init(_ trace: Trace) { self.trace = trace }

    /// False if the body is running already.
    private func begin() -> Bool {
      isRunning.withLock { isRunning in
        defer { isRunning = true }
        return !isRunning
      }
    }

    func callAsFunction() async throws {
      let isOnlyOne = begin()
      #expect(isOnlyOne, "two bodies at once")
      defer { isRunning.withLock { $0 = false } }
      let command = await withTaskCancellationHandler {
        trace("started")
        started.send(())
        return await end.receive()
      } onCancel: {
        trace("cancelled")
      }
      trace("ended")
      switch command {
      case .returning: return
      case .throwing: throw BodyError()
      case .cancelling: try Task.checkCancellation()
      }
    }
  }

  @Test("Runs on arrival, is cancelled inside the delivery of leaving", arguments: BusKind.allCases)
  func cancelledInsideDelivery(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = Body(trace)
    let task = Task { try await bus.repeating(atLeast: .active) { try await body() } }
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
      try await bus.repeatWhile(atLeast: .active) { trace("started") }
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
      try await bus.repeatWhile(atLeast: .active) { trace("started") }
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
    let body = Body(trace)
    bus.send(.willEnterForeground)
    let task = Task { try await bus.repeating(atLeast: .inactive) { try await body() } }
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
  func bounce(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = Body(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(atLeast: .active) { try await body() } }
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
    let body = Body(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(atLeast: .active) { try await body() } }
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
    let body = Body(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(atMost: .background) { try await body() } }
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

  @Test("What the body throws is thrown, and nothing more runs", arguments: BusKind.allCases)
  func throwing(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = Body(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(atLeast: .active) { try await body() } }
    await body.started.receive()
    body.end.send(.throwing)
    await expect(task, "threw BodyError()")
    #expect(bus.liveSubscriptions.isEmpty)
    bus.send(all: .willResignActive, .didBecomeActive)
    await mainQueueToDrain()
    expectNoDifference(trace.lines, ["started", "ended"])
  }

  @Test("An error of the clean-up is thrown", arguments: BusKind.allCases)
  func throwingInCleanUp(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = Body(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(atLeast: .active) { try await body() } }
    await body.started.receive()
    bus.send(.willResignActive)
    body.end.send(.throwing)
    await expect(task, "threw BodyError()")
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("A CancellationError of the body's own making is thrown", arguments: BusKind.allCases)
  func ownCancellationError(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    bus.send(.didBecomeActive)
    let task = Task { [trace] in
      try await bus.repeating(atLeast: .active) {
        trace("started")
        throw CancellationError()
      }
    }
    await expect(task, "cancelled")
    expectNoDifference(trace.lines, ["started"])
    #expect(!task.isCancelled)
  }

  @Test(
    "The calling task is cancelled: after the clean-up, CancellationError",
    arguments: BusKind.allCases
  )
  func cancelled(_ kind: BusKind) async {
    for end in [Body.End.returning, .cancelling] {
      let bus = kind.makeWaiting()
      let body = Body(trace)
      bus.send(.didBecomeActive)
      let task = Task { [trace] in
        defer { trace("over") }
        try await bus.repeating(atLeast: .active) { try await body() }
      }
      await body.started.receive()
      task.cancel()
      expectNoDifference(trace.take(), ["started", "cancelled"])
      bus.send(all: .willResignActive, .didBecomeActive)
      await mainQueueToDrain()
      body.end.send(end)
      await expect(task, "cancelled")
      expectNoDifference(trace.take(), ["ended", "over"])
      #expect(bus.liveSubscriptions.isEmpty)
    }
  }

  @Test(
    "The calling task is cancelled and the clean-up fails: its error",
    arguments: BusKind.allCases
  )
  func cancelledAndThrowing(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = Body(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(atLeast: .active) { try await body() } }
    await body.started.receive()
    task.cancel()
    body.end.send(.throwing)
    await expect(task, "threw BodyError()")
  }

  @Test("Cancelled before, or before the first arrival: never runs", arguments: BusKind.allCases)
  func cancelledBefore(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = Body(trace)
    let waiting = Task { try await bus.repeating(atLeast: .active) { try await body() } }
    await mainQueueToDrain()
    waiting.cancel()
    await expect(waiting, "cancelled")
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(atLeast: .active) { try await body() } }
    task.cancel()
    await expect(task, "cancelled")
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("On a bus that has ended it returns", arguments: BusKind.allCases)
  func ended(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = Body(trace)
    bus.send(.willTerminate)
    await expect(
      Task { try await bus.repeating(atLeast: .background) { try await body() } },
      "returned"
    )
    await expect(
      Task { try await bus.repeating(atMost: .background) { try await body() } },
      "returned"
    )
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("The bus is released while the body runs", arguments: BusKind.allCases)
  func released(_ kind: BusKind) async {
    var bus: (any WaitingBus)? = kind.makeWaiting()
    weak let weakBus = bus
    let body = Body(trace)
    bus?.send(.didBecomeActive)
    let task = Task { try await weakBus?.repeating(atLeast: .active) { try await body() } }
    await body.started.receive()
    bus = nil
    trace("released")
    body.end.send(.cancelling)
    await expect(task.asVoid(), "returned")
    expectNoDifference(trace.lines, ["started", "cancelled", "released", "ended"])
  }

  @Test("The bus is released between two runs", arguments: BusKind.allCases)
  func releasedBetween(_ kind: BusKind) async {
    var bus: (any WaitingBus)? = kind.makeWaiting()
    weak let weakBus = bus
    let body = Body(trace)
    bus?.send(.didBecomeActive)
    let task = Task { try await weakBus?.repeating(atLeast: .active) { try await body() } }
    await body.started.receive()
    body.end.send(.returning)
    await mainQueueToDrain()
    bus = nil
    await expect(task.asVoid(), "returned")
    expectNoDifference(trace.lines, ["started", "ended"])
  }

  @Test("A body that makes the bus leave is cancelled before `send` returns")
  func leavesByItself() async {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let task = Task { [trace] in
      try await bus.repeatWhile(atLeast: .active) {
        bus.send(.willResignActive)
        trace("cancelled \(Task.isCancelled)")
        bus.send(.willTerminate)
      }
    }
    await expect(task, "returned")
    expectNoDifference(trace.lines, ["cancelled true"])
  }

  private enum Request {
    @TaskLocal static var name = "none"
  }

  @Test("Task-local values and the priority reach the body", arguments: BusKind.allCases)
  func taskLocals(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    bus.send(.didBecomeActive)
    let body = Body(trace)
    let task = Request.$name.withValue("seven") {
      Task(priority: .low) { [trace] in
        try await bus.repeating(atLeast: .active) {
          trace("\(Request.name) \(Task.basePriority == .low)")
          try await body()
        }
      }
    }
    for end in [Body.End.returning, .returning] {
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
    let bodies = [Body(trace), Body(trace)]
    bus.send(.didBecomeActive)
    let tasks = bodies.map { body in
      Task { try await bus.repeating(atLeast: .active) { try await body() } }
    }
    for body in bodies { await body.started.receive() }
    bus.send(.willTerminate)
    for body in bodies { body.end.send(.cancelling) }
    for task in tasks { await expect(task, "returned") }
  }

  @Test("The caller is named by his line", arguments: BusKind.allCases)
  func location(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = Body(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(atLeast: .active, line: 8) { try await body() } }
    await body.started.receive()
    expectNoDifference(bus.liveSubscriptions.map(\.location.line), [8])
    bus.send(.willTerminate)
    body.end.send(.returning)
    await expect(task, "returned")
  }
}
