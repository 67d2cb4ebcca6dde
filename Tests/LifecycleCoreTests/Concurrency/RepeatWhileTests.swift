import CustomDump
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

/// `VisitMachineTests` test every sequence of arrivals and ends.
@Suite("repeatWhile", .timeLimit(.minutes(5)))
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

  @Test("The body is cancelled inside the delivery of leaving, and starts again on arrival")
  func cancelledInsideDelivery() async {
    let body = RepeatedBody(trace)
    let task = repeating(line: 8, body)
    bus.send(.didBecomeActive)
    await body.started.receive()
    expectNoDifference(bus.diagnostics.liveSubscriptions.map(\.location.line), [8])
    bus.send(.willResignActive)
    trace("left")
    bus.send(.didBecomeActive)
    body.end.send(.cancelling)
    await body.started.receive()
    task.cancel()
    trace("cancelled from outside")
    body.end.send(.returning)
    await expect(task, "cancelled")
    expectNoDifference(
      trace.lines,
      [
        "started", "cancelled", "left", "ended", "started", "cancelled", "cancelled from outside",
        "ended",
      ]
    )
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("The body starts one turn of the executor after the arrival, unless the phase has gone")
  func oneTurn() async {
    let task = Task { [bus, trace] in
      try await bus.repeatWhile(.atLeast(.active)) { trace("started") }
    }
    await mainQueueToDrain()
    await mainQueueToDrain()
    bus.send(all: .didBecomeActive, .willResignActive)
    await mainQueueToDrain()
    expectNoDifference(trace.take(), [])
    // The call is ready for the next arrival, a few turns later.
    for _ in 1...5 { await mainQueueToDrain() }
    bus.send(.didBecomeActive)
    trace("sent")
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["sent", "started"])
    bus.send(.willTerminate)
    await expect(task, "returned")
  }

  @Test("The body does not start again while the condition stays met")
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

  @Test("A body that ends its own condition is cancelled before `send` returns")
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

  @Test("repeatWhile throws the errors of its body, a CancellationError and clean-up included")
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

  @Test("repeatWhile returns at once on a bus that has ended")
  func endedBusReturnsAtOnce() async {
    let body = RepeatedBody(trace)
    bus.send(.willTerminate)
    await expect(repeating(.atLeast(.background), body), "returned")
    await expect(repeating(.atMost(.background), body), "returned")
    expectNoDifference(trace.lines, [])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("A running body does not keep the bus alive, and is cancelled when it is released")
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

  @Test("The body has the task-local values and the priority of the call")
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

@Suite("Visit machine of repeatWhile")
struct VisitMachineTests {
  enum Input: String, CaseIterable, Sendable { case add, wait, returned, arrive, leave, end }

  /// The rules: a runner starts when it has been added, waits, and the visit is fresh.
  private struct Rules {
    private var counts: [Input: Int] = [:]
    private var starts = 0
    private var isWaiting = false
    private var isVisit = false
    private var isFresh = false
    private var isOver = false
    private var inside: Int?

    func count(_ input: Input) -> Int { counts[input, default: 0] }

    /// The shell adds a runner only when the one before is done, and each runner waits once.
    func allows(_ input: Input) -> Bool {
      switch input {
      case .add: count(.add) == count(.returned)
      case .wait: count(.wait) == count(.returned)
      // A runner that waits can't be done.
      case .returned:
        count(.add) > count(.returned) && count(.wait) > count(.returned) && !isWaiting
      case .arrive, .leave, .end: true
      }
    }

    /// Returns what the input makes happen.
    mutating func take(_ input: Input) -> String? {
      counts[input, default: 0] += 1
      switch input {
      case .add: break
      case .wait:
        if isOver { return "finish \(count(.wait))" }
        isWaiting = true
      case .returned: inside = nil
      case .arrive:
        if !isVisit && !isOver { (isVisit, isFresh) = (true, true) }
      case .end where isWaiting:
        (isOver, isWaiting) = (true, false)
        return "finish \(count(.wait))"
      case .leave, .end:
        if input == .end { isOver = true }
        (isVisit, isFresh) = (false, false)
        defer { inside = nil }
        return inside.map { "cancel \($0)" }
      }
      guard isFresh, isWaiting, count(.add) > starts else { return nil }
      starts += 1
      (isFresh, isWaiting, inside) = (false, false, starts)
      return "start \(count(.wait))"
    }
  }

  private let trace = Trace()
  private let runners = (0...8).map { _ in Task<Bool, any Error> { false } }

  private func take(_ input: Input, _ number: Int, _ machine: inout VisitMachine) -> String? {
    var action: VisitMachine.Action?
    switch input {
    case .add: action = machine.add(runners[number])
    case .wait:
      action = machine.wait { [trace] in trace("\($0 ? "start" : "finish") \(number)") }
    case .returned: _ = machine.runnerDidReturn()
    case .arrive: action = machine.arrive()
    case .leave: action = machine.leave()
    case .end: action = machine.end()
    }
    switch action {
    case .resume(let waiter, let starts):
      waiter(starts)
      return trace.take().last
    case .cancel(let runner): return runners.firstIndex(of: runner).map { "cancel \($0)" }
    case nil: return nil
    }
  }

  @Test("Arrivals, ends and runners in every sequence follow the rules")
  func everySequence() {
    var count = 0
    func extend(_ machine: VisitMachine, _ rules: Rules, _ past: [Input]) {
      count += 1
      guard past.count < 7 else { return }
      for input in Input.allCases where rules.allows(input) {
        var (machine, rules) = (machine, rules)
        let text = take(input, rules.count(input) + 1, &machine)
        let expected = rules.take(input)
        guard text == expected else {
          Issue.record("\(past) \(input): \(text ?? "nothing") instead of \(expected ?? "nothing")")
          return
        }
        extend(machine, rules, past + [input])
      }
    }
    extend(VisitMachine(), Rules(), [])
    #expect(count > 5_000)
  }

  @Test("The phase of a bus that has ended does not start a body")
  @MainActor
  func endedBus() async throws {
    let visits = Visits(.atMost(.background))
    visits.join(at: DeliveredState(phase: .terminated))
    let next = Task { try await visits.runNext(isolation: #isolation) {} }
    // The run waits, or would have been let in.
    for _ in 1...3 { await mainQueueToDrain() }
    visits.busDidEnd()
    let hasRun = try await next.value
    #expect(!hasRun)
  }
}
