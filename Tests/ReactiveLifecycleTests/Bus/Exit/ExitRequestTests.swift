import CustomDump
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

extension LifecycleExitOutcome {
  /// The outcome as traces show it, with the lines of the observers.
  var line: String {
    func list(_ locations: [LifecycleObserverLocation]) -> String {
      locations.map { "\($0.line ?? 0)" }.joined(separator: " ")
    }
    return "cancelled by [\(list(cancelledBy))], no answer from [\(list(unanswered))]"
  }

  static let agreed = "cancelled by [], no answer from []"
}

extension LifecycleBusProtocol {
  /// Makes a request before it returns. The mailbox receives the outcome.
  func makeExitRequest(timeout: Duration? = nil) -> Mailbox<LifecycleExitOutcome> {
    let outcome = Mailbox<LifecycleExitOutcome>()
    let deadline = timeout.map { core.clock.continuous + $0 }
    let request = LifecycleExitRequest(deadline: deadline)
    _ = core.requestExit(request, until: deadline, on: core.clock) { outcome.send($0) }
    return outcome
  }
}

@Suite("Exit requests: who is asked, and what becomes of the answers")
@MainActor
struct ExitRequestTests {
  private let trace = Trace()
  private let clock = ManualClock()

  @Test(
    "All are asked, the latest first, also after one has cancelled",
    arguments: BusKind.allCases
  )
  func allAreAsked(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope("screen")
    let owner = Owner()
    let token = bus.onExitRequest(line: 1) { [trace] request in
      trace("token, cancelled: \(request.isCancelled)")
      return .exit
    }
    bus.onExitRequest(in: scope, line: 2) { [trace] request in
      trace("scope, cancelled: \(request.isCancelled)")
      return .cancel
    }
    bus.onExitRequest(owner, line: 3) { [trace] owner, request in
      trace("owner, cancelled: \(request.isCancelled)")
      return .exit
    }
    let outcome = await bus.requestExit()
    expectNoDifference(
      trace.lines,
      ["owner, cancelled: false", "scope, cancelled: false", "token, cancelled: true"]
    )
    #expect(outcome.isCancelled)
    expectNoDifference(
      outcome,
      LifecycleExitOutcome(
        cancelledBy: [
          LifecycleObserverLocation(
            scope: "screen",
            fileID: "ReactiveLifecycleTests/ExitRequestTests.swift",
            line: 2
          )
        ]
      )
    )
    expectNoDifference(
      outcome.description,
      """
      cancelled by ReactiveLifecycleTests/ExitRequestTests.swift:2 (scope "screen")
      """
    )
    token.cancel()
    withExtendedLifetime(owner) {}
  }

  @Test(
    "One after the other: the next one is asked when one has answered",
    arguments: BusKind.allCases
  )
  func oneAfterTheOther(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope()
    let (asked, answer) = (AsyncGate(), AsyncGate())
    bus.onExitRequest(in: scope) { [trace] _ in
      trace("second")
      return .exit
    }
    bus.onExitRequest(in: scope) { [trace] _ in
      trace("first")
      asked.open()
      await answer.opened()
      trace("first answers")
      return .exit
    }
    let request = Task { await bus.requestExit() }
    await asked.opened()
    expectNoDifference(trace.lines, ["first"])
    answer.open()
    #expect(await request.value.line == LifecycleExitOutcome.agreed)
    expectNoDifference(trace.lines, ["first", "first answers", "second"])
  }

  @Test("Without observers, and after the end of the bus, all agree", arguments: BusKind.allCases)
  func nobodyToAsk(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    #expect(await bus.requestExit() == LifecycleExitOutcome())
    expectNoDifference(LifecycleExitOutcome().description, "exit")
    let outcome = Locked<LifecycleExitOutcome?>(nil)
    _ = bus.core.requestExit(LifecycleExitRequest(deadline: nil), until: nil, on: clock) { found in
      outcome.withLock { $0 = found }
    }
    #expect(outcome.withLock { $0 } == LifecycleExitOutcome(), "before the call returns")
    let scope = LifecycleScope()
    bus.onExitRequest(in: scope) { _ in .cancel }
    bus.send(.willTerminate)
    #expect(await bus.requestExit() == LifecycleExitOutcome())
    bus.onExitRequest(in: scope) { _ in .cancel }
    #expect(await bus.requestExit() == LifecycleExitOutcome())
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("A request sends no event", arguments: BusKind.allCases)
  func sendsNoEvent(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    bus.send(.didBecomeActive)
    let observer = bus.addObserver { [trace] in trace($0.line) }
    let token = bus.onExitRequest { _ in .exit }
    _ = await bus.requestExit()
    expectNoDifference(bus.phase, .active)
    expectNoDifference(trace.lines, [])
    observer.cancel()
    token.cancel()
  }

  @Test("The request says who asks, until when, and why", arguments: BusKind.allCases)
  func contents(_ kind: BusKind) async throws {
    let bus = kind.make(clock: clock)
    let requests = Collector<LifecycleExitRequest>()
    let token = bus.onExitRequest {
      requests($0)
      return .exit
    }
    _ = await bus.requestExit()
    _ = await bus.requestExit(timeout: .seconds(5), metadata: ["reason": "update"])
    let source = TestSource("menu")
    let connection = try bus.connect(source)
    let outcome = await withCheckedContinuation { continuation in
      source.input.requestExit(until: nil, metadata: ["signal": "SIGTERM"]) {
        continuation.resume(returning: $0)
      }
    }
    expectNoDifference(outcome, LifecycleExitOutcome())
    expectNoDifference(
      requests.values,
      [
        LifecycleExitRequest(),
        LifecycleExitRequest(
          metadata: ["reason": "update"],
          deadline: clock.continuous + .seconds(5)
        ),
        LifecycleExitRequest(origin: .source("menu"), metadata: ["signal": "SIGTERM"]),
      ]
    )
    token.cancel()
    connection.cancel()
  }

  @Test("An id replaces the observer of the scope, and of the owner", arguments: BusKind.allCases)
  func sameObserverAgain(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope()
    let owner = Owner()
    for line in 1...3 as ClosedRange<UInt> {
      bus.onExitRequest(in: scope, id: "editor", line: line) { _ in .cancel }
      bus.onExitRequest(owner, id: "editor", line: 10 + line) { _, _ in .cancel }
    }
    #expect(await bus.requestExit().line == "cancelled by [13 3], no answer from []")
    withExtendedLifetime(owner) {}
  }

  @Test("A scope that has ended is reported at the caller's line", arguments: BusKind.allCases)
  func endedScope(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope("screen")
    scope.end()
    expectReportedIssue("The scope \"screen\" has already ended", line: 7) {
      bus.onExitRequest(in: scope, line: 7) { _ in .cancel }
    }
    #expect(await bus.requestExit() == LifecycleExitOutcome())
  }

  // MARK: Time

  @Test(
    "At the timeout: who did not answer is named, who was being asked is cancelled",
    arguments: BusKind.allCases
  )
  func timeout(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope()
    let (asked, cancelled) = (AsyncGate(), AsyncGate())
    bus.onExitRequest(in: scope, line: 1) { [trace] _ in
      trace("not asked in time")
      return .exit
    }
    bus.onExitRequest(in: scope, line: 2) { _ in
      asked.open()
      await withTaskCancellationHandler {
        await cancelled.opened()
      } onCancel: {
        cancelled.open()
      }
      return .cancel
    }
    bus.onExitRequest(in: scope, line: 3) { _ in .cancel }
    let request = Task { await bus.requestExit(timeout: .seconds(5)) }
    await asked.opened()
    clock.advance(by: .seconds(5))
    let outcome = await request.value
    expectNoDifference(outcome.line, "cancelled by [3], no answer from [2 1]")
    let file = "ReactiveLifecycleTests/ExitRequestTests.swift"
    expectNoDifference(
      outcome.description,
      "cancelled by \(file):3 (scope \"\"); no answer from \(file):2 (scope \"\"), \(file):1 (scope \"\")"
    )
    await cancelled.opened()
    expectNoDifference(trace.lines, [])
  }

  @Test("No answer does not cancel the exit", arguments: BusKind.allCases)
  func noAnswer(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let (asked, answer) = (AsyncGate(), AsyncGate())
    let token = bus.onExitRequest(line: 1) { _ in
      asked.open()
      await answer.opened()
      return .cancel
    }
    let request = Task { await bus.requestExit(timeout: .seconds(5)) }
    await asked.opened()
    clock.advance(by: .seconds(5))
    let outcome = await request.value
    #expect(!outcome.isCancelled)
    expectNoDifference(outcome.line, "cancelled by [], no answer from [1]")
    answer.open()
    token.cancel()
  }

  @Test("The caller's task is cancelled: the answers so far", arguments: BusKind.allCases)
  func cancelledCaller(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let asked = Mailbox<Void>()
    let token = bus.onExitRequest(line: 1) { _ in
      let cancelled = AsyncGate()
      asked.send(())
      await withTaskCancellationHandler {
        await cancelled.opened()
      } onCancel: {
        cancelled.open()
      }
      return .exit
    }
    let request = Task { await bus.requestExit() }
    await asked.receive()
    request.cancel()
    #expect(await request.value.line == "cancelled by [], no answer from [1]")
    // Cancelled before the call.
    let start = AsyncGate()
    let late = Task {
      await start.opened()
      return await bus.requestExit()
    }
    late.cancel()
    start.open()
    #expect(await late.value.line == "cancelled by [], no answer from [1]")
    token.cancel()
  }

  // MARK: Requests at the same time

  @Test(
    "Two requests at the same time share a round, each until its own timeout",
    arguments: BusKind.allCases
  )
  func shared(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope()
    let (asked, answer) = (AsyncGate(), AsyncGate())
    bus.onExitRequest(in: scope, line: 1) { [trace] request in
      trace("1 until \(request.deadline.map { "\($0 - .boot)" } ?? "the answer")")
      return .cancel
    }
    bus.onExitRequest(in: scope, line: 2) { [trace] _ in
      trace("2")
      asked.open()
      await answer.opened()
      return .cancel
    }
    let first = Task { await bus.requestExit(timeout: .seconds(5)) }
    await asked.opened()
    let second = bus.makeExitRequest(timeout: .seconds(30))
    let third = bus.makeExitRequest()
    clock.advance(by: .seconds(5))
    #expect(await first.value.line == "cancelled by [], no answer from [2 1]")
    answer.open()
    #expect(await second.receive().line == "cancelled by [2 1], no answer from []")
    #expect(await third.receive().line == "cancelled by [2 1], no answer from []")
    expectNoDifference(trace.lines, ["2", "1 until 3630.0 seconds"])
  }

  @Test("An observer is not asked again before it has returned", arguments: BusKind.allCases)
  func neverTwiceAtATime(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let running = Counter()
    let asked = Mailbox<Int>()
    let answer = Mailbox<LifecycleExitRequest.Response>()
    let token = bus.onExitRequest(line: 1) { _ in
      asked.send(running.add())
      defer { running.subtract() }
      return await answer.receive()
    }
    let first = Task { await bus.requestExit(timeout: .seconds(5)) }
    #expect(await asked.receive() == 1)
    clock.advance(by: .seconds(5))
    #expect(await first.value.line == "cancelled by [], no answer from [1]")
    // It was cancelled, and does not care.
    let second = bus.makeExitRequest()
    #expect(asked.rest.isEmpty)
    answer.send(.cancel)
    #expect(await asked.receive() == 1)
    answer.send(.exit)
    #expect(await second.receive().line == LifecycleExitOutcome.agreed)
    token.cancel()
  }

  // MARK: Coming and going

  @Test("An observer that registers during a round is not asked", arguments: BusKind.allCases)
  func joining(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope()
    bus.onExitRequest(in: scope, line: 1) { [trace, unowned bus] _ in
      trace("1")
      bus.onExitRequest(in: scope, line: 2) { [trace] _ in
        trace("2")
        return .exit
      }
      return .exit
    }
    #expect(await bus.requestExit().line == LifecycleExitOutcome.agreed)
    expectNoDifference(trace.take(), ["1"])
    #expect(await bus.requestExit().line == LifecycleExitOutcome.agreed)
    expectNoDifference(trace.take(), ["2", "1"])
  }

  @Test(
    "An observer that leaves agrees: while it is asked, and before its turn",
    arguments: BusKind.allCases
  )
  func leaving(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    let scope = LifecycleScope()
    let (asked, cancelled) = (AsyncGate(), AsyncGate())
    let last = bus.onExitRequest(line: 1) { _ in .cancel }
    let early = bus.onExitRequest(line: 2) { _ in .cancel }
    bus.onExitRequest(in: scope, line: 3) { _ in
      asked.open()
      await withTaskCancellationHandler {
        await cancelled.opened()
      } onCancel: {
        cancelled.open()
      }
      return .cancel
    }
    let request = Task { await bus.requestExit() }
    await asked.opened()
    early.cancel()
    scope.end()
    #expect(await request.value.line == "cancelled by [1], no answer from []")
    await cancelled.opened()
    last.cancel()
  }

  @Test("The end of the bus during a round: all agree", arguments: BusKind.allCases, [false, true])
  func endOfTheBus(_ kind: BusKind, isReleased: Bool) async {
    var bus: (any LifecycleBusProtocol)? = kind.make(clock: clock)
    weak let weakBus = bus
    let (asked, answer) = (AsyncGate(), AsyncGate())
    let scope = LifecycleScope()
    bus!.onExitRequest(in: scope, line: 1) { _ in .cancel }
    bus!.onExitRequest(in: scope, line: 2) { _ in
      asked.open()
      await answer.opened()
      return .cancel
    }
    let request = Task { await weakBus!.requestExit() }
    await asked.opened()
    if isReleased { bus = nil } else { bus?.send(.willTerminate) }
    #expect(await request.value.line == LifecycleExitOutcome.agreed)
    answer.open()
  }

  @Test(
    "A sender that keeps the closure which withdraws its request is released with the outcome",
    arguments: BusKind.allCases,
    [nil, Duration.seconds(5)]
  )
  func withdrawalKeepsNoSender(_ kind: BusKind, timeout: Duration?) async {
    let bus = kind.make(clock: clock)
    let token = bus.onExitRequest(line: 1) { _ in .cancel }
    let done = AsyncGate()
    let sender = Self.makeSender(bus, timeout, done)
    await done.opened()
    #expect(await eventually { !sender.isAlive })
    token.cancel()
  }

  private final class Sender: Sendable {
    let withdrawal = Locked<(@Sendable () -> Void)?>(nil)
  }

  private static func makeSender(
    _ bus: any LifecycleBusProtocol,
    _ timeout: Duration?,
    _ done: AsyncGate
  ) -> Weak<Sender> {
    let sender = Sender()
    let deadline = timeout.map { bus.core.clock.continuous + $0 }
    let withdraw = bus.core.requestExit(
      LifecycleExitRequest(deadline: deadline),
      until: deadline,
      on: bus.core.clock
    ) { _ in
      _ = sender
      done.open()
    }
    sender.withdrawal.exchange(withdraw)
    return Weak(sender)
  }

  @Test(
    "A released owner agrees, and its closure is released by registrations",
    arguments: BusKind.allCases
  )
  func deadOwner(_ kind: BusKind) async {
    let bus = kind.make(clock: clock)
    func register() {
      let canary = Canary { [trace] in trace("released") }
      let owner = Owner()
      bus.onExitRequest(owner) { _, _ in
        canary.sing()
        return .cancel
      }
    }
    register()
    #expect(bus.liveSubscriptions.isEmpty)
    #expect(await bus.requestExit().line == LifecycleExitOutcome.agreed)
    bus.addObserver { _ in }.cancel()
    expectNoDifference(trace.take(), ["released"])
    register()
    bus.addObserver { _ in }.cancel()
    expectNoDifference(trace.take(), ["released"])
  }
}
