import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Background fetch")
@MainActor
struct BackgroundFetchTests {
  @Test("A fetch is complete as soon as all have answered", arguments: BusKind.allCases)
  func allAnswer(_ kind: BusKind) {
    let stage = BackgroundFetchStage(kind)
    let reports = stage.fetches.reports.sink { [trace = stage.trace] in trace("report \($0.line)") }
    let token = stage.bus.addObserver { [trace = stage.trace] event in
      trace("\(event.shortLine) \(event.origin) \(event.metadata.sorted { $0.key < $1.key })")
    }
    stage.add("inbox")
    stage.add("news")
    stage.begin()
    stage.clock.advance(by: .seconds(1))
    stage.answer("news", .noData)
    stage.clock.advance(by: .seconds(1))
    stage.answer("inbox", .newData)
    let line = "1 newData 2 s: inbox newData 2 s, news noData 1 s"
    expectNoDifference(
      stage.trace.take(),
      [
        "inbox runs", "news runs", "report \(line)",
        """
        1 backgroundFetchDidComplete manual [(key: "fetch", value: "1"), (key: "result", value: \
        "newData")]
        """,
        "told \(line)",
      ]
    )
    // Nothing is left to do, and nothing comes after that.
    expectNoDifference(stage.clock.timerCount, 0)
    stage.clock.advance(by: .seconds(60))
    expectNoDifference(stage.trace.take(), [])
    withExtendedLifetime((reports, token)) {}
  }

  @Test("Making a coordinator delivers nothing that waits for the main actor's turn")
  func makingDeliversNothing() async {
    let bus = LifecycleBus(clock: ManualClock())
    let trace = Trace()
    let token = bus.addObserver { trace($0.shortLine) }
    // It is accepted, and waits for this test to let the main queue go on.
    onOtherThread { _ = bus.send(.systemDidWake) }
    let fetches = BackgroundFetchCoordinator(of: bus)
    expectNoDifference(trace.take(), [])
    await mainQueueToDrain()
    expectNoDifference(trace.take(), ["1 systemDidWake"])
    withExtendedLifetime((fetches, token)) {}
  }

  @Test("A deadline that passed while the device slept does not wait for a timer that slept, too")
  func deadlinePassedWhileTheDeviceSlept() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: TimerlessClock(clock))
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    let trace = Trace()
    let registration = fetches.addHandler(named: "inbox") { completion in
      completion.onCancel { completion(.failed(FetchTrouble())) }
    }
    let run = fetches.core.makeRun()
    run.whenConcluded { trace($0.line) }
    fetches.core.begin(run, deadline: .seconds(30))
    clock.advance(by: .zero)
    clock.sleepDevice(for: .seconds(29))
    bus.send(.systemDidWake)
    expectNoDifference(trace.take(), [])
    clock.sleepDevice(for: .seconds(1))
    bus.send(.systemDidWake)
    expectNoDifference(
      trace.take(),
      ["1 failed 30 s: inbox failed (no answer by the deadline) 30 s"]
    )
    withExtendedLifetime(registration) {}
  }

  @Test("No handlers: no data, at once")
  func noHandlers() async {
    let bus = LifecycleBus(clock: ManualClock())
    let fetches = BackgroundFetchCoordinator(of: bus)
    let report = await fetches.performFetch()
    expectNoDifference(report.line, "1 noData 0 s: ")
    withExtendedLifetime(bus) {}
  }

  @Test("Failed is not reported although another screen had data")
  func newDataWins() {
    let stage = BackgroundFetchStage()
    for name in ["front", "back", "hung"] { stage.add(name) }
    stage.begin()
    stage.answer("front", .failed(FetchTrouble()))
    stage.answer("back", .newData)
    stage.clock.advance(by: .seconds(30))
    expectNoDifference(
      stage.trace.lines.dropLast().last,
      """
      told 1 newData 30 s: front failed (trouble) 0 s, back newData 0 s, hung failed (no answer by \
      the deadline) 30 s
      """
    )
  }

  @Test("A handler is not overwritten by an overlapping fetch")
  func handlerIsNotOverwrittenByOverlappingFetch() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.begin()
    stage.clock.advance(by: .seconds(10))
    stage.begin()
    stage.answer("inbox", .newData, 1)
    stage.clock.advance(by: .seconds(1))
    stage.answer("inbox", .noData, 0)
    expectNoDifference(
      stage.trace.lines,
      [
        "inbox runs", "inbox runs",
        "told 2 newData 0 s: inbox newData 0 s",
        "told 1 noData 11 s: inbox noData 11 s",
      ]
    )
  }

  @Test("There is a deadline, and a handler that never answers misses it alone")
  func handlerThatNeverAnswersMissesDeadlineAlone() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.add("hung")
    stage.begin(deadline: .seconds(20))
    stage.answer("inbox", .noData)
    stage.clock.advance(by: .seconds(19))
    expectNoDifference(stage.trace.take(), ["inbox runs", "hung runs"])
    stage.clock.advance(by: .seconds(5))
    expectNoDifference(
      stage.trace.take(),
      [
        """
        told 1 failed 20 s: inbox noData 0 s, hung failed (no answer by the deadline) 20 s
        """,
        "hung cancelled",
      ]
    )
  }

  @Test("A fetch is not completed twice: a second answer is reported at its caller")
  func answeredTwice() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.begin()
    stage.answer("inbox", .noData)
    expectReportedIssue(
      #""inbox" answered fetch 1 more than once, so the answer newData"#,
      line: #line + 2
    ) {
      stage.completion("inbox")(.newData)
    }
    expectNoDifference(stage.trace.lines, ["inbox runs", "told 1 noData 0 s: inbox noData 0 s"])
  }

  @Test("A late answer is reported and ignored, but a cancelled handler may fail")
  func lateAnswers() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.add("news")
    stage.begin(deadline: .seconds(1))
    stage.clock.advance(by: .seconds(1))
    _ = stage.trace.take()
    expectReportedIssue(
      #""inbox" answered fetch 1 after the fetch had ended, so the answer newData"#,
      line: #line + 2
    ) {
      stage.completion("inbox")(.newData)
    }
    stage.answer("news", .failed(FetchTrouble()))
    expectNoDifference(stage.trace.lines, [])
  }

  @Test("A completion that is never called counts as failed, and is reported at the handler")
  func releasedCompletion() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    expectReportedIssue(
      #""forgetful" released the completion of fetch 1 without calling it"#,
      line: #line + 2
    ) {
      stage.fetches.addHandler(named: "forgetful", in: stage.scope) { _ in }
      stage.begin()
      stage.answer("inbox", .noData)
    }
    expectNoDifference(
      stage.trace.lines.last,
      "told 1 failed 0 s: inbox noData 0 s, forgetful failed (never answered) 0 s"
    )
    // After the answer a release means nothing.
    stage.dropCompletions()
  }

  @Test("What a handler throws is its failure, and holds nobody back")
  func whatHandlerThrowsIsItsFailure() {
    let stage = BackgroundFetchStage()
    stage.fetches.addHandler(named: "thrower", in: stage.scope) { throw FetchTrouble() }
    stage.fetches.addHandler(named: "inbox", in: stage.scope) { .newData }
    stage.begin()
    expectNoDifference(
      stage.trace.lines,
      ["told 1 newData 0 s: thrower failed (trouble) 0 s, inbox newData 0 s"]
    )
  }

  @Test(
    "An asynchronous handler is cancelled at the deadline; a late answer is reported at its line"
  )
  func cancelledTask() {
    let stage = BackgroundFetchStage()
    let clock = stage.clock
    stage.fetches.addHandler(named: "obeys", in: stage.scope) {
      try await Task.sleep(for: .seconds(60), clock: clock)
      return .newData
    }
    stage.begin()
    clock.advance(by: .seconds(30))
    clock.advance(by: .zero)
    expectReportedIssue(#""stubborn" answered fetch 2 after"#, line: #line + 1) {
      stage.fetches.addHandler(named: "stubborn", in: stage.scope) {
        try? await Task.sleep(for: .seconds(60), clock: clock)
        return .newData
      }
      stage.begin()
      clock.advance(by: .seconds(30))
      clock.advance(by: .zero)
    }
    expectNoDifference(
      stage.trace.lines.map { $0.prefix(15) },
      ["told 1 failed 3", "told 2 failed 3"]
    )
  }

  @Test("A deadline that is not in the future has passed: nothing runs")
  func noTime() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.begin(deadline: .seconds(-1))
    expectNoDifference(
      stage.trace.lines,
      ["told 1 failed 0 s: inbox failed (no answer by the deadline) 0 s"]
    )
    stage.begin(deadline: .seconds(Int64.max))
    stage.answer("inbox", .noData)
    expectNoDifference(stage.trace.lines.last, "told 2 noData 0 s: inbox noData 0 s")
  }

  @Test("When the calling task is cancelled, the deadline is now")
  func callerCancelled() async {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    let task = Task { await stage.fetches.performFetch() }
    task.cancel()
    let report = await task.value
    expectNoDifference(
      report.line,
      "1 failed 0 s: inbox failed (no answer by the deadline) 0 s"
    )
  }

  @Test("Handlers that block their threads hold nobody back")
  func blockingHandlersHoldNobodyBack() async {
    let gate = ThreadGate()
    let scope = LifecycleScope()
    let bus = LifecycleBus(clock: ManualClock())
    let fetches = BackgroundFetchCoordinator(of: bus)
    // More of them than Swift's own pool has threads.
    let count = 16
    let begun = Locked(0)
    let allBlocked = AsyncGate()
    for number in 1...count {
      let block: @Sendable () -> Void = {
        let isLast = begun.withLock { begun in
          begun += 1
          return begun == count
        }
        if isLast { allBlocked.open() }
        gate.wait()
      }
      if number.isMultiple(of: 2) {
        fetches.addHandler(named: "blocked \(number)", in: scope) { completion in
          completion.onCancel {}
          block()
          completion(.failed(FetchTrouble()))
        }
      } else {
        fetches.addHandler(named: "blocked \(number)", in: scope) {
          block()
          throw FetchTrouble()
        }
      }
    }
    let answered = AsyncGate()
    fetches.addHandler(named: "inbox", in: scope) {
      answered.open()
      return .newData
    }
    let run = fetches.core.makeRun()
    let result = Locked<BackgroundFetchResult?>(nil)
    run.whenConcluded { report in result.withLock { $0 = report.result } }
    fetches.core.begin(run, deadline: .seconds(30))
    await allBlocked.opened()
    await answered.opened()
    expectNoDifference(result.withLock { $0 }, nil)
    run.expire()
    // Whether the answer was in, or about to be, is up to its thread.
    #expect(result.withLock { $0 } != nil)
    gate.open()
    withExtendedLifetime(bus) {}
  }

  @Test("The handlers are about to begin when the method first suspends")
  func handlersBeginBeforeItSuspends() async {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    let task = Task { await stage.fetches.performFetch().result }
    // The task has its turn on the main actor before this one goes on.
    await Task.yield()
    stage.clock.advance(by: .zero)
    expectNoDifference(stage.trace.lines, ["inbox runs"])
    stage.answer("inbox", .newData)
    #expect(await task.value == .newData)
  }

  @Test("Reports wait for demand, and finish with the coordinator", arguments: BusKind.allCases)
  func reportDemand(_ kind: BusKind) {
    let stage = BackgroundFetchStage(kind)
    func record(_ demand: Subscribers.Demand) -> LifecycleRecorder<Int, Never> {
      LifecycleRecorder(stage.fetches.reports.map(\.number), of: stage.bus, demand: demand)
    }
    let numbers = record(.none)
    let cancelled = record(.unlimited)
    cancelled.cancel()
    let late = stage.fetches.reports
    for _ in 1...3 { stage.begin() }
    expectNoDifference(
      stage.trace.lines,
      ["told 1 noData 0 s: ", "told 2 noData 0 s: ", "told 3 noData 0 s: "]
    )
    expectNoDifference(numbers.takeElements(), [])
    numbers.request(.max(2))
    expectNoDifference(numbers.takeElements(), [1, 2])
    stage.releaseCoordinator()
    expectNoDifference(numbers.completion, nil)
    numbers.request(.max(1))
    expectNoDifference(numbers.takeElements(), [3])
    expectNoDifference(numbers.completion, .finished)
    expectNoDifference(cancelled.elements, [])
    let latecomer = LifecycleRecorder(late, of: stage.bus)
    #expect(latecomer.elements.isEmpty)
    expectNoDifference(latecomer.completion, .finished)
  }
}
