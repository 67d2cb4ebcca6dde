import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// `RepeatWhileModelTests` tests every sequence of arrivals, ends, and errors; these show the rest.
@Suite("Concurrency: repeatWhile")
@MainActor
struct RepeatWhileTests {
  private let trace = Trace()
  private let bus = LifecycleBus(clock: ManualClock())

  /// Repeats the body, in the active phase.
  private func repeating(
    _ condition: LifecyclePhase.Condition = .atLeast(.active),
    line: UInt = #line,
    _ body: RepeatedBody
  ) -> Task<Void, any Error> {
    Task { [bus] in
      try await bus.repeatWhile(condition, line: line) {
        MainActor.preconditionIsolated()
        try await body()
      }
    }
  }

  @Test("Runs on arrival, is cancelled inside the delivery of leaving")
  func cancelledInsideDelivery() async {
    let body = RepeatedBody(trace)
    let task = repeating(line: 8, body)
    bus.send(.didBecomeActive)
    await body.started.receive()
    expectNoDifference(bus.diagnostics.liveSubscriptions.map(\.location.line), [8])
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
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("The body starts one turn of the executor after the arrival, if the phase is still there")
  func oneTurn() async {
    let task = Task { [bus, trace] in
      try await bus.repeatWhile(.atLeast(.active)) { trace("started") }
    }
    await mainQueueToDrain()
    await mainQueueToDrain()
    bus.send(all: .didBecomeActive, .willResignActive)
    await mainQueueToDrain()
    expectNoDifference(trace.take(), [])
    await mainQueueToDrain()
    bus.send(.didBecomeActive)
    trace("sent")
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["sent", "started"])
    bus.send(.willTerminate)
    await expect(task, "returned")
  }

  @Test("To and fro inside the condition is no arrival")
  func noArrivalInsideTheCondition() async {
    let body = RepeatedBody(trace)
    bus.send(.willEnterForeground)
    let task = repeating(.atLeast(.inactive), body)
    await body.started.receive()
    body.end.send(.returning)
    // The body returns, a few turns later.
    for _ in 1...5 { await mainQueueToDrain() }
    bus.send(all: .didBecomeActive, .systemDidWake, .willResignActive, .didBecomeActive)
    for _ in 1...5 { await mainQueueToDrain() }
    expectNoDifference(trace.lines, ["started", "ended"])
    bus.send(all: .didEnterBackground, .willEnterForeground)
    await body.started.receive()
    body.end.send(.returning)
    bus.send(.willTerminate)
    await expect(task, "returned")
  }

  @Test("A body that may run until the end is cancelled in its turn of willTerminate")
  func cancelledAfterTheEnd() async {
    let body = RepeatedBody(trace)
    // On the way down, the observer that was registered first is the last.
    let first = bus.addObserver(for: .willTerminate) { [trace] _ in trace("willTerminate") }
    bus.send(.didFinishLaunching)
    let task = repeating(.atMost(.background), body)
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

  @Test("A body that makes the bus leave is cancelled before `send` returns")
  func leavesByItself() async {
    bus.send(.didBecomeActive)
    let task = Task { [bus, trace] in
      try await bus.repeatWhile(.atLeast(.active)) {
        bus.send(.willResignActive)
        trace("cancelled \(Task.isCancelled)")
        bus.send(.willTerminate)
      }
    }
    await expect(task, "returned")
    expectNoDifference(trace.lines, ["cancelled true"])
  }

  @Test("Errors of the body are thrown, those of its clean-up and its own cancellation too")
  func errorsOfTheBody() async {
    bus.send(.didBecomeActive)
    let cancelling = Task { [bus] in
      try await bus.repeatWhile(.atLeast(.active)) { throw CancellationError() }
    }
    await expect(cancelling, "cancelled")
    #expect(!cancelling.isCancelled)
    let cleaningUp = Task { [bus] in
      try await bus.repeatWhile(.atLeast(.active)) {
        bus.send(.willTerminate)
        throw BodyError()
      }
    }
    await expect(cleaningUp, "threw BodyError()")
  }

  @Test("On a bus that has ended it returns")
  func endedBusReturnsAtOnce() async {
    let body = RepeatedBody(trace)
    bus.send(.willTerminate)
    await expect(repeating(.atLeast(.background), body), "returned")
    await expect(repeating(.atMost(.background), body), "returned")
    expectNoDifference(trace.lines, [])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("The bus is not kept alive, and its release while the body runs cancels it")
  func busReleasedWhileTheBodyRuns() async {
    var bus: LifecycleBus? = LifecycleBus(clock: ManualClock())
    weak let weakBus = bus
    let body = RepeatedBody(trace)
    bus?.send(.didBecomeActive)
    let task = Task { try await weakBus?.repeatWhile(.atLeast(.active)) { try await body() } }
    await body.started.receive()
    bus = nil
    trace("released")
    body.end.send(.cancelling)
    await expect(task.asVoid(), "returned")
    expectNoDifference(trace.lines, ["started", "cancelled", "released", "ended"])
  }

  private enum Request {
    @TaskLocal static var name = "none"
  }

  @Test("Task-local values and the priority reach the body")
  func taskLocals() async {
    bus.send(.didBecomeActive)
    let task = Request.$name.withValue("seven") {
      Task(priority: .low) { [bus, trace] in
        try await bus.repeatWhile(.atLeast(.active)) {
          trace("\(Request.name) \(Task.basePriority == .low)")
          bus.send(.willTerminate)
        }
      }
    }
    await expect(task, "returned")
    expectNoDifference(trace.lines, ["seven true"])
  }

  @Test("The body runs on the caller's actor unless it names another", arguments: BusKind.allCases)
  func bodyRunsOnCallersActor(_ kind: BusKind) async {
    let (bus, other) = (kind.make(), kind.make())
    bus.send(.didBecomeActive)
    other.send(.didBecomeActive)
    let here = Task { [trace] in
      try await bus.repeatWhile(.atLeast(.active)) {
        trace("on the main actor: \(MainQueue.isCurrent)")
        bus.send(.willTerminate)
      }
    }
    await expect(here, "returned")
    let elsewhere = Task { [trace] in
      try await other.repeatWhile(.atLeast(.active)) { @concurrent in
        trace("on the main actor: \(MainQueue.isCurrent)")
        other.send(.willTerminate)
      }
    }
    await expect(elsewhere, "returned")
    expectNoDifference(trace.lines, ["on the main actor: true", "on the main actor: false"])
  }
}

/// A body in a test: it traces when it starts and when it is cancelled, and ends when it is told
/// how.
private final class RepeatedBody: Sendable {
  enum End { case returning, cancelling }

  let started = Mailbox<Void>()
  let end = Mailbox<End>()
  private let trace: Trace

  init(_ trace: Trace) { self.trace = trace }

  func callAsFunction() async throws {
    let command = await withTaskCancellationHandler {
      trace("started")
      started.send(())
      return await end.receive()
    } onCancel: {
      trace("cancelled")
    }
    trace("ended")
    if command == .cancelling { try Task.checkCancellation() }
  }
}
