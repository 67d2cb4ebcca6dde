import CustomDump
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCore

/// Who is asked, and what becomes of the answers. `ExitRequestMachineTests` test each order of the
/// answers.
@Suite("Exit requests")
@MainActor
struct ExitRequestTests {
  let trace = Trace()
  let clock = ManualClock()
  let bus: LifecycleBus
  let scope = LifecycleScope("screen")

  init() { bus = LifecycleBus(clock: clock) }

  /// Traces the name and agrees.
  func observe(_ bus: some LifecycleBusProtocol, _ name: String) {
    bus.onExitRequest(in: scope) { [trace] _ in
      trace(name)
      return .exit
    }
  }

  @Test("All observers are asked, the latest first, even after one has cancelled")
  func allAreAsked() async {
    bus.send(.didBecomeActive)
    for (line, response) in [(1, .exit), (2, .cancel), (3, .exit)]
      as [(UInt, LifecycleExitRequest.Response)]
    {
      bus.onExitRequest(in: scope, line: line) { [trace] request in
        trace("\(line), cancelled: \(request.isCancelled)")
        return response
      }
    }
    let events = bus.addObserver { [trace] in trace($0.line) }
    let outcome = await bus.requestExit()
    expectNoDifference(
      trace.lines,
      ["3, cancelled: false", "2, cancelled: false", "1, cancelled: true"]
    )
    #expect(outcome.isCancelled)
    expectNoDifference(
      outcome.cancelledBy,
      [
        LifecycleObserverLocation(
          scope: "screen",
          fileID: "LifecycleCoreTests/ExitRequestTests.swift",
          line: 2
        )
      ]
    )
    expectNoDifference(bus.phase, .active)
    events.cancel()
    withExtendedLifetime(self) {}
  }

  @Test("A request without observers, or after the end of the bus, is agreed to")
  func nobodyToAsk() async {
    #expect(await bus.requestExit() == LifecycleExitResult())
    expectNoDifference(LifecycleExitResult().description, "exit")
    bus.onExitRequest(in: scope) { _ in .cancel }
    bus.send(.willTerminate)
    bus.onExitRequest(in: scope) { _ in .cancel }
    #expect(await bus.requestExit() == LifecycleExitResult())
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("A request has its origin, deadline and metadata")
  func contents() async throws {
    let requests = Collector<LifecycleExitRequest>()
    bus.onExitRequest(in: scope) {
      requests($0)
      return .exit
    }
    _ = await bus.requestExit()
    _ = await bus.requestExit(timeout: .seconds(5), metadata: ["reason": "update"])
    let source = TestSource("menu")
    let connection = try bus.connect(source)
    let outcome = await withCheckedContinuation { continuation in
      source.feed.requestExit(until: nil, metadata: ["signal": "SIGTERM"]) {
        continuation.resume(returning: $0)
      }
    }
    expectNoDifference(outcome, LifecycleExitResult())
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
    connection.cancel()
    withExtendedLifetime(self) {}
  }

  @Test("An observer with the same id is replaced, and one in an ended scope reported")
  func sameObserverAgain() async {
    for line in 1...3 as ClosedRange<UInt> {
      bus.onExitRequest(in: scope, id: "editor", line: line) { _ in .cancel }
    }
    #expect(await bus.requestExit().line == "cancelled by [3], no answer from []")
    scope.end()
    expectReportedIssue("The scope \"screen\" has already ended", line: 7) {
      bus.onExitRequest(in: scope, line: 7) { _ in .cancel }
    }
    #expect(await bus.requestExit() == LifecycleExitResult())
  }

  // MARK: Time

  @Test("At the timeout the observers without an answer are named, and the call is cancelled")
  func timeout() async {
    let (asked, cancelled) = (AsyncGate(), AsyncGate())
    bus.onExitRequest(in: scope, line: 1) { [trace] _ in
      trace("not asked in time")
      return .exit
    }
    bus.onExitRequest(in: scope, line: 2) { _ in
      asked.open()
      await cancellation(opening: cancelled)
      return .cancel
    }
    bus.onExitRequest(in: scope, line: 3) { _ in .cancel }
    let request = Task { [bus] in await bus.requestExit(timeout: .seconds(5)) }
    await asked.opened()
    clock.advance(by: .seconds(5))
    let outcome = await request.value
    let file = "LifecycleCoreTests/ExitRequestTests.swift"
    expectNoDifference(
      outcome.description.replacing(" (scope \"screen\")", with: ""),
      "cancelled by \(file):3; no answer from \(file):2, \(file):1"
    )
    await cancelled.opened()
    expectNoDifference(trace.lines, [])
    withExtendedLifetime(self) {}
  }

  @Test("A request whose task is cancelled returns the answers so far")
  func cancelledCaller() async {
    let asked = Mailbox<Void>()
    bus.onExitRequest(in: scope, line: 1) { _ in
      asked.send(())
      await cancellation(opening: AsyncGate())
      return .exit
    }
    let request = Task { [bus] in await bus.requestExit() }
    await asked.receive()
    request.cancel()
    #expect(await request.value.line == "cancelled by [], no answer from [1]")
    #expect(await !request.value.isCancelled)
    // Cancelled before the call.
    let start = AsyncGate()
    let late = Task { [bus] in
      await start.opened()
      return await bus.requestExit()
    }
    late.cancel()
    start.open()
    #expect(await late.value.line == "cancelled by [], no answer from [1]")
    withExtendedLifetime(self) {}
  }

  /// A clock that notes whether it is asked on the main actor.
  private struct WatchedClock: LifecycleClock {
    let trace: Trace
    let now = LifecycleInstant(everyClock: .zero)

    func schedule(
      at deadline: ContinuousInstant,
      _ body: @escaping @Sendable () -> Void
    ) -> LifecycleCancellable {
      trace("scheduled on the main actor: \(MainQueue.isCurrent)")
      return LifecycleCancellable {}
    }
  }

  @Test("A request reads the clock on its caller's actor")
  func callersActor() async {
    let bus = LifecycleBus(clock: WatchedClock(trace: trace))
    bus.onExitRequest(in: scope) { _ in .exit }
    for _ in 1...20 { _ = await bus.requestExit(timeout: .seconds(5)) }
    expectNoDifference(
      trace.lines,
      Array(repeating: "scheduled on the main actor: true", count: 20)
    )
    withExtendedLifetime(self) {}
  }

  // MARK: Requests at the same time

  @Test("A delayed call has the earliest deadline of the requests that still wait")
  func deadlineOfADelayedCall() async {
    let asked = Mailbox<ContinuousInstant?>()
    let answer = Mailbox<LifecycleExitRequest.Response>()
    bus.onExitRequest(in: scope, line: 1) { request in
      asked.send(request.deadline)
      return await answer.receive()
    }
    let first = bus.makeExitRequest(timeout: .seconds(5))
    _ = await asked.receive()
    clock.advance(by: .seconds(5))
    _ = await first.receive()
    // The call of the first request has not returned.
    let second = bus.makeExitRequest(timeout: .seconds(10))
    let third = bus.makeExitRequest(timeout: .seconds(30))
    let fourth = bus.makeExitRequest(timeout: .seconds(20))
    clock.advance(by: .seconds(10))
    #expect(await second.receive().line == "cancelled by [], no answer from [1]")
    answer.send(.cancel)
    let deadline = await asked.receive()
    expectNoDifference(deadline, clock.continuous + .seconds(10))
    answer.send(.exit)
    #expect(await third.receive().line == LifecycleExitResult.agreed)
    #expect(await fourth.receive().line == LifecycleExitResult.agreed)
    withExtendedLifetime(self) {}
  }

  // MARK: Coming and going

  @Test("An observer that registers during a round is not asked in it")
  func joining() async {
    bus.onExitRequest(in: scope) { [self, unowned bus] _ in
      trace("1")
      observe(bus, "2")
      return .exit
    }
    #expect(await bus.requestExit().line == LifecycleExitResult.agreed)
    expectNoDifference(trace.take(), ["1"])
    #expect(await bus.requestExit().line == LifecycleExitResult.agreed)
    expectNoDifference(trace.take(), ["2", "1"])
    scope.end()
    withExtendedLifetime(self) {}
  }

  @Test("An observer that leaves while it is asked, or before its turn, agrees")
  func leaving() async {
    let (asked, cancelled) = (AsyncGate(), AsyncGate())
    let (last, released) = (LifecycleScope(), LifecycleScope())
    bus.onExitRequest(in: last, line: 1) { _ in .cancel }
    bus.onExitRequest(in: released, line: 2) { _ in .cancel }
    bus.onExitRequest(in: scope, line: 3) { _ in
      asked.open()
      await cancellation(opening: cancelled)
      return .cancel
    }
    let request = Task { [bus] in await bus.requestExit() }
    await asked.opened()
    released.end()
    scope.end()
    #expect(await request.value.line == "cancelled by [1], no answer from []")
    await cancelled.opened()
    last.end()
    #expect(await bus.requestExit() == LifecycleExitResult())
  }

  @Test("Observers that left before their turn are not named as unanswered")
  func leftBeforeTheirTurn() async {
    let asked = AsyncGate()
    let screen = LifecycleScope("closed screen")
    bus.onExitRequest(in: screen, line: 1) { _ in .exit }
    bus.onExitRequest(in: scope, line: 3) { _ in .exit }
    bus.onExitRequest(in: scope, line: 4) { _ in
      asked.open()
      await cancellation(opening: AsyncGate())
      return .exit
    }
    let outcome = bus.makeExitRequest(timeout: .seconds(5))
    await asked.opened()
    screen.end()
    clock.advance(by: .seconds(5))
    #expect(await outcome.receive().line == "cancelled by [], no answer from [4 3]")
    withExtendedLifetime(self) {}
  }

  @Test("An observer whose scope ends on another thread before its turn is not called")
  func leftBeforeItIsCalled() async {
    bus.onExitRequest(in: scope, line: 1) { [trace] _ in
      trace("called")
      return .cancel
    }
    let outcome = bus.makeExitRequest()
    // The call waits for the main actor.
    onOtherThread { [scope] in scope.end() }
    #expect(await outcome.receive().line == LifecycleExitResult.agreed)
    expectNoDifference(trace.lines, [])
  }

  @Test("A request is agreed to when the bus ends during its round", arguments: [false, true])
  func endOfTheBus(isReleased: Bool) async {
    var bus: LifecycleBus? = LifecycleBus(clock: clock)
    weak let weakBus = bus
    let (asked, answer) = (AsyncGate(), AsyncGate())
    bus!.onExitRequest(in: scope, line: 1) { _ in .cancel }
    bus!.onExitRequest(in: scope, line: 2) { _ in
      asked.open()
      await answer.opened()
      return .cancel
    }
    let request = Task { await weakBus!.requestExit() }
    await asked.opened()
    withExtendedLifetime(bus) {}
    if isReleased { bus = nil } else { bus?.send(.willTerminate) }
    #expect(await request.value.line == LifecycleExitResult.agreed)
    answer.open()
    withExtendedLifetime(self) {}
  }

  // MARK: Sources

  @Test("A source can withdraw its request before the deadline")
  func sources() async throws {
    let source = TestSource("signals")
    let connection = try bus.connect(source)
    source.feed.requestExit(until: .now + .seconds(600)) { [trace] in trace("at once: \($0)") }
    expectNoDifference(trace.take(), ["at once: exit"])
    let (asked, answer) = (AsyncGate(), AsyncGate())
    bus.onExitRequest(in: scope, line: 1) { _ in
      asked.open()
      await answer.opened()
      return .exit
    }
    let stopWaiting = source.feed.requestExit(until: .now) { [trace] in trace($0.line) }
    stopWaiting()
    stopWaiting()
    expectNoDifference(trace.take(), ["cancelled by [], no answer from [1]"])
    answer.open()
    connection.cancel()
    withExtendedLifetime(self) {}
  }

  // MARK: Threads

  @Test("Requests of several threads have one outcome each while observers come and go")
  func eachRequestHasOneOutcome() async {
    let bus = NonisolatedLifecycleBus(clock: clock)
    let running = Counter()
    bus.onExitRequest(in: scope, line: 1) { _ in
      #expect(running.add() == 1, "asked twice at a time")
      await Task.yield()
      running.subtract()
      return .exit
    }
    for round in 1...100 {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 1...5 as ClosedRange<UInt> {
            let scope = LifecycleScope()
            bus.onExitRequest(in: scope, line: 10 + number) { _ in
              await Task.yield()
              return number.isMultiple(of: 2) ? .cancel : .exit
            }
            await Task.yield()
            scope.end()
          }
        }
        group.addTask { [clock] in
          for _ in 1...5 {
            clock.advance(by: .seconds(1))
            await Task.yield()
          }
        }
        for number in 1...4 {
          group.addTask {
            let timeout: Duration? = number.isMultiple(of: 2) ? .seconds(2) : nil
            let task = Task { await bus.requestExit(timeout: timeout) }
            if round.isMultiple(of: 3) && number == 1 { task.cancel() }
            let outcome = await task.value
            for location in outcome.cancelledBy { #expect(location.line! > 10) }
            if timeout == nil && !task.isCancelled { #expect(outcome.unanswered.isEmpty) }
          }
        }
      }
    }
    #expect(await bus.requestExit() == LifecycleExitResult())
    expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
    scope.end()
  }
}

/// Waits until the task is cancelled, which opens the gate.
private func cancellation(opening gate: AsyncGate) async {
  await withTaskCancellationHandler {
    await gate.opened()
  } onCancel: {
    gate.open()
  }
}

extension LifecycleExitResult {
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
  fileprivate func makeExitRequest(timeout: Duration? = nil) -> Mailbox<LifecycleExitResult> {
    let outcome = Mailbox<LifecycleExitResult>()
    let deadline = timeout.map { core.clock.continuous + $0 }
    let request = LifecycleExitRequest(deadline: deadline)
    _ = core.requestExit(request, until: deadline) { outcome.send($0) }
    return outcome
  }
}
