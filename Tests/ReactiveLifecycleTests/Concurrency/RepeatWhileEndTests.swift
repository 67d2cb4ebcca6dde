import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Concurrency: the end of repeatWhile")
@MainActor
struct RepeatWhileEndTests {
  private let trace = Trace()

  @Test("What the body throws is thrown, and nothing more runs", arguments: BusKind.allCases)
  func whatBodyThrowsIsThrown(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(.atLeast(.active)) { try await body() } }
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
    let body = RepeatedBody(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(.atLeast(.active)) { try await body() } }
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
      try await bus.repeating(.atLeast(.active)) {
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
  func callingTaskIsCancelled(_ kind: BusKind) async {
    for end in [RepeatedBody.End.returning, .cancelling] {
      let bus = kind.makeWaiting()
      let body = RepeatedBody(trace)
      bus.send(.didBecomeActive)
      let task = Task { [trace] in
        defer { trace("over") }
        try await bus.repeating(.atLeast(.active)) { try await body() }
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
    let body = RepeatedBody(trace)
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(.atLeast(.active)) { try await body() } }
    await body.started.receive()
    task.cancel()
    body.end.send(.throwing)
    await expect(task, "threw BodyError()")
  }

  @Test("Cancelled before, or before the first arrival: never runs", arguments: BusKind.allCases)
  func cancelledBefore(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    let waiting = Task { try await bus.repeating(.atLeast(.active)) { try await body() } }
    await mainQueueToDrain()
    waiting.cancel()
    await expect(waiting, "cancelled")
    bus.send(.didBecomeActive)
    let task = Task { try await bus.repeating(.atLeast(.active)) { try await body() } }
    task.cancel()
    await expect(task, "cancelled")
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("On a bus that has ended it returns", arguments: BusKind.allCases)
  func endedBusReturnsAtOnce(_ kind: BusKind) async {
    let bus = kind.makeWaiting()
    let body = RepeatedBody(trace)
    bus.send(.willTerminate)
    await expect(
      Task { try await bus.repeating(.atLeast(.background)) { try await body() } },
      "returned"
    )
    await expect(
      Task { try await bus.repeating(.atMost(.background)) { try await body() } },
      "returned"
    )
    expectNoDifference(trace.lines, [])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("The bus is released while the body runs", arguments: BusKind.allCases)
  func busReleasedWhileTheBodyRuns(_ kind: BusKind) async {
    var bus: (any WaitingBus)? = kind.makeWaiting()
    weak let weakBus = bus
    let body = RepeatedBody(trace)
    bus?.send(.didBecomeActive)
    let task = Task { try await weakBus?.repeating(.atLeast(.active)) { try await body() } }
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
    let body = RepeatedBody(trace)
    bus?.send(.didBecomeActive)
    let task = Task { try await weakBus?.repeating(.atLeast(.active)) { try await body() } }
    await body.started.receive()
    body.end.send(.returning)
    await body.ended.receive()
    bus = nil
    await expect(task.asVoid(), "returned")
    expectNoDifference(trace.lines, ["started", "ended"])
  }

  @Test("A body that makes the bus leave is cancelled before `send` returns")
  func leavesByItself() async {
    let bus = LifecycleBus(clock: ManualClock())
    bus.send(.didBecomeActive)
    let task = Task { [trace] in
      try await bus.repeatWhile(.atLeast(.active)) {
        bus.send(.willResignActive)
        trace("cancelled \(Task.isCancelled)")
        bus.send(.willTerminate)
      }
    }
    await expect(task, "returned")
    expectNoDifference(trace.lines, ["cancelled true"])
  }
}
