import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Background fetch: ends in the middle")
@MainActor
struct BackgroundFetchEndTests {
  @Test("A handler whose scope ends is cancelled, and does not count", arguments: BusKind.allCases)
  func scopeEnds(_ kind: BusKind) {
    let stage = BackgroundFetchStage(kind)
    let screen = LifecycleScope("screen")
    stage.add("inbox")
    stage.add("screen", in: screen)
    stage.begin()
    stage.answer("inbox", .noData)
    screen.end()
    expectNoDifference(
      stage.trace.take(),
      ["inbox runs", "screen runs", "told 1 noData 0 s: inbox noData 0 s", "screen cancelled"]
    )
    // What it says after that interests nobody.
    stage.answer("screen", .newData)
    stage.begin()
    expectNoDifference(stage.trace.take(), ["inbox runs"])
  }

  @Test("The answer of a handler that is removed after it stays")
  func removedAfterAnswer() {
    let stage = BackgroundFetchStage()
    let registration = stage.add("inbox")
    stage.add("news")
    stage.begin()
    stage.answer("inbox", .newData)
    #expect(!registration.isCancelled)
    registration.cancel()
    registration.cancel()
    #expect(registration.isCancelled)
    stage.answer("news", .noData)
    expectNoDifference(
      stage.trace.lines.last,
      "told 1 newData 0 s: inbox newData 0 s, news noData 0 s"
    )
  }

  @Test("Without a scope a handler lives as long as its registration, and is released with it")
  func unscopedHandlerLivesAsLongAsItsToken() {
    let stage = BackgroundFetchStage()
    let canary = Locked<Canary?>(Canary())
    let weak = Weak(canary.withLock { $0! })
    var registration: LifecycleCancellable? = canary.withLock { canary in
      let canary = canary.take()!
      return stage.fetches.addHandler(named: "inbox") {
        canary.sing()
        return .newData
      }
    }
    stage.begin()
    expectNoDifference(registration?.isCancelled, false)
    registration = nil
    #expect(!weak.isAlive)
    stage.begin()
    expectNoDifference(
      stage.trace.lines,
      ["told 1 newData 0 s: inbox newData 0 s", "told 2 noData 0 s: "]
    )
  }

  @Test("So does one that answers by a completion", arguments: [true, false])
  func unscopedCompletingHandler(_ isCancelled: Bool) {
    let stage = BackgroundFetchStage()
    let canary = Locked<Canary?>(Canary())
    let weak = Weak(canary.withLock { $0! })
    var registration: LifecycleCancellable? = canary.withLock { canary in
      let canary = canary.take()!
      return stage.fetches.addHandler(named: "inbox") { completion in
        canary.sing()
        completion(.newData)
      }
    }
    stage.begin()
    expectNoDifference(registration?.isCancelled, false)
    if isCancelled { registration?.cancel() } else { registration = nil }
    #expect(!weak.isAlive)
    stage.begin()
    expectNoDifference(
      stage.trace.lines,
      ["told 1 newData 0 s: inbox newData 0 s", "told 2 noData 0 s: "]
    )
    withExtendedLifetime(registration) {}
  }

  @Test("In a scope that has ended nothing is added, which is reported")
  func endedScope() {
    let stage = BackgroundFetchStage()
    let screen = LifecycleScope("screen")
    screen.end()
    expectReportedIssue("screen", line: #line + 1) {
      let registration = stage.fetches.addHandler(named: "inbox", in: screen) { _ in }
      #expect(registration.isCancelled)
    }
    stage.begin()
    expectNoDifference(stage.trace.lines, ["told 1 noData 0 s: "])
  }

  @Test(
    "At willTerminate the fetches are complete before earlier observers hear",
    arguments: BusKind.allCases
  )
  func fetchesAreCompleteBeforeEarlierObserversHearEnd(_ kind: BusKind) {
    let clock = ManualClock()
    let bus = kind.make(clock: clock)
    let trace = Trace()
    let earlier = bus.addObserver { trace("earlier: \($0.kind)") }
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    let later = bus.addObserver { trace("later: \($0.kind)") }
    let reports = fetches.reports.sink(
      receiveCompletion: { _ in trace("no more reports") },
      receiveValue: { trace("report \($0.line)") }
    )
    let held = Locked<[BackgroundFetchCompletion]>([])
    let scope = LifecycleScope()
    fetches.addHandler(named: "hung", in: scope) { completion in
      completion.onCancel { trace("hung cancelled") }
      held.withLock { $0.append(completion) }
    }
    fetches.addHandler(named: "inbox", in: scope) { .newData }
    func begin() {
      let run = fetches.core.makeRun()
      run.whenConcluded { trace("told \($0.line)") }
      fetches.core.begin(run, deadline: .seconds(30))
      clock.advance(by: .zero)
    }
    begin()
    bus.send(.willTerminate)
    let hung = "hung failed (ended before the handler answered) 0 s"
    let line = "1 newData 0 s: \(hung), inbox newData 0 s"
    expectNoDifference(
      trace.take(),
      [
        "later: willTerminate", "report \(line)", "told \(line)", "hung cancelled",
        "earlier: willTerminate", "no more reports",
      ]
    )
    // Late, but nobody's mistake.
    held.withLock { $0[0] }(.newData)
    begin()
    expectNoDifference(trace.take(), ["told 2 failed 0 s: "])
    expectNoDifference(clock.timerCount, 0)
    withExtendedLifetime((earlier, later, reports)) {}
  }

  @Test(
    "The release of the bus, or of the coordinator, ends the fetches",
    arguments: [true, false]
  )
  func releaseOfTheBus(_ ofBus: Bool) {
    let clock = ManualClock()
    var bus: LifecycleBus? = LifecycleBus(clock: clock)
    let trace = Trace()
    var fetches: BackgroundFetchCoordinator? = BackgroundFetchCoordinator(of: bus!, executor: clock)
    weak let core = fetches!.core
    let scope = LifecycleScope()
    let held = Locked<[BackgroundFetchCompletion]>([])
    fetches!.addHandler(named: "hung", in: scope) { completion in
      held.withLock { $0.append(completion) }
    }
    let run = fetches!.core.makeRun()
    run.whenConcluded { trace("told \($0.line)") }
    fetches!.core.begin(run, deadline: .seconds(30))
    clock.advance(by: .zero)
    let token = bus!.addObserver { trace("\($0.kind)") }
    if ofBus { bus = nil } else { fetches = nil }
    expectNoDifference(
      trace.take(),
      (ofBus ? [] : ["backgroundFetchDidComplete"])
        + ["told 1 failed 0 s: hung failed (ended before the handler answered) 0 s"]
    )
    fetches = nil
    bus = nil
    let unused = held.withLock { held in
      defer { held = [] }
      return held
    }
    expectNoDifference(unused.count, 1)
    withExtendedLifetime((token, run, scope, core)) {}
  }

  @Test("Nothing is left of a coordinator that was released")
  func nothingIsLeft() {
    let stage = BackgroundFetchStage()
    weak var core: BackgroundFetchCore?
    do {
      let fetches = BackgroundFetchCoordinator(of: stage.bus, executor: stage.clock)
      core = fetches.core
      fetches.addHandler(named: "inbox", in: stage.scope) { .newData }
      let run = fetches.core.makeRun()
      fetches.core.begin(run, deadline: .seconds(30))
      stage.clock.advance(by: .zero)
      #expect(core != nil)
    }
    #expect(core == nil)
    expectNoDifference(stage.clock.timerCount, 0)
  }

  @Test("A main actor that is busy holds the completion up for a second at most")
  func busyMainActor() async {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.begin()
    // The main actor is here all the time: what another thread completes can't be delivered.
    let reports = stage.fetches.reports.sink { [trace = stage.trace] in trace("report \($0.line)") }
    onOtherThread { stage.answer("inbox", .newData) }
    expectNoDifference(stage.trace.take(), ["inbox runs"])
    stage.clock.advance(by: .seconds(1))
    expectNoDifference(stage.trace.take(), ["told 1 newData 0 s: inbox newData 0 s"])
    let token = stage.bus.addObserver { [trace = stage.trace] in trace("\($0.kind)") }
    await mainQueueToDrain()
    expectNoDifference(
      stage.trace.take(),
      ["report 1 newData 0 s: inbox newData 0 s", "backgroundFetchDidComplete"]
    )
    withExtendedLifetime((token, reports)) {}
  }
}
