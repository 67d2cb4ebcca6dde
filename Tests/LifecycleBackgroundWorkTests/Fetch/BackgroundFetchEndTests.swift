import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleCore
import LifecycleSupport
import LifecycleTesting
import TestSupport
import Testing

@Suite("Background fetch: ends during a fetch")
@MainActor
struct BackgroundFetchEndTests {
  @Test("A handler whose scope ends is cancelled, and does not count")
  func scopeEnds() {
    let stage = BackgroundFetchStage()
    let screen = LifecycleScope("screen")
    stage.add("inbox")
    stage.fetches.addHandler(named: "screen", in: screen, stage.body("screen"))
    stage.begin()
    stage.answer("inbox", .noData)
    screen.end()
    expectNoDifference(
      stage.trace.take(),
      ["inbox runs", "screen runs", "received 1 noData 0 s: inbox noData 0 s", "screen cancelled"]
    )
    // What it says after that interests nobody.
    stage.answer("screen", .newData)
    stage.begin()
    expectNoDifference(stage.trace.take(), ["inbox runs"])
  }

  @Test(
    "Events that observers of a completed fetch send are delivered before the host has the result"
  )
  func sentAtTheEnd() {
    let stage = BackgroundFetchStage()
    let bus = stage.bus
    bus.addObserver(in: stage.scope) { [unowned bus, trace = stage.trace] event in
      trace("\(event.kind)")
      if event.kind == .backgroundFetchDidComplete { bus.send(.didReceiveMemoryWarning) }
    }
    stage.begin()
    expectNoDifference(
      stage.trace.lines,
      ["backgroundFetchDidComplete", "didReceiveMemoryWarning", "received 1 noData 0 s: "]
    )
  }

  @Test("A handler without a scope is released with its registration")
  func unscopedHandlerLivesAsLongAsItsToken() {
    let stage = BackgroundFetchStage()
    let released = stage.trace
    var registration: LifecycleCancellable? = stage.fetches.addHandler(named: "inbox") {
      [canary = Canary { released("released") }] in
      canary.sing()
      return .newData
    }
    stage.begin()
    expectNoDifference(registration?.isCancelled, false)
    registration = nil
    stage.begin()
    expectNoDifference(
      stage.trace.lines,
      ["received 1 newData 0 s: inbox newData 0 s", "released", "received 2 noData 0 s: "]
    )
  }

  @Test("When the coordinator is released, callers receive reports before handlers are cancelled")
  func stragglersAreLast() {
    let stage = BackgroundFetchStage()
    let trace = stage.trace
    stage.add("hung")
    for number in 1...2 {
      let queue = stage.fetches.queue
      queue.begin(queue.makeNumber(), deadline: .seconds(30)) {
        [canary = Canary { trace("released \(number)") }] _ in
        canary.sing()
        trace("received \(number)")
      }
    }
    stage.clock.advance(by: .zero)
    stage.releaseCoordinator()
    expectNoDifference(
      trace.lines,
      ["hung runs", "received 1", "released 1", "received 2", "released 2", "hung cancelled"]
    )
  }

  @Test("A late answer is reported also after the handler was removed")
  func lateAnswerOfRemovedHandler() {
    let stage = BackgroundFetchStage()
    let screen = LifecycleScope("screen")
    expectReportedIssue(#""screen" answered fetch 1 after"#, line: #line + 1) {
      stage.fetches.addHandler(named: "screen", in: screen, stage.body("screen"))
      stage.begin(deadline: .seconds(30))
      stage.clock.advance(by: .seconds(30))
      screen.end()
      stage.answer("screen", .newData)
    }
  }

  @Test(
    "At willTerminate, fetches complete before observers that were registered earlier are called"
  )
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func fetchesAreCompleteBeforeEarlierObserversHearEnd() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    let trace = Trace()
    let earlier = bus.addObserver { trace("earlier: \($0.kind)") }
    let fetches = BackgroundFetchCoordinator(of: bus, executor: clock)
    let later = bus.addObserver { trace("later: \($0.kind)") }
    let reports = fetches.reports.sink(
      receiveCompletion: { _ in trace("no more reports") },
      receiveValue: { trace("report \($0.line)") }
    )
    let held = HeldAnswers()
    let scope = LifecycleScope()
    fetches.addHandler(named: "hung", in: scope) { await held.wait(as: "hung", trace) }
    fetches.addHandler(named: "inbox", in: scope) { .newData }
    func begin() {
      let queue = fetches.queue
      queue.begin(queue.makeNumber(), deadline: .seconds(30)) { trace("received \($0.line)") }
      clock.advance(by: .zero)
    }
    begin()
    bus.send(.willTerminate)
    let hung = "hung failed (ended before the handler answered) 0 s"
    let line = "1 newData 0 s: \(hung), inbox newData 0 s"
    expectNoDifference(
      trace.take(),
      [
        "later: willTerminate", "report \(line)", "received \(line)", "hung cancelled",
        "earlier: willTerminate", "no more reports",
      ]
    )
    // Late, but nobody's mistake.
    held.give(.newData, to: "hung")
    clock.advance(by: .zero)
    begin()
    expectNoDifference(trace.take(), ["received 2 failed 0 s: "])
    expectNoDifference(clock.timerCount, 0)
    withExtendedLifetime((bus, fetches, scope, earlier, later, reports)) {}
  }

  @Test(
    "The release of the coordinator, or of the bus, ends the fetches",
    arguments: [true, false]
  )
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func releaseEndsTheFetches(ofBus: Bool) {
    let (clock, scope, trace) = (ManualClock(), LifecycleScope(), Trace())
    var bus: LifecycleBus? = LifecycleBus(clock: clock)
    var fetches: BackgroundFetchCoordinator? = BackgroundFetchCoordinator(of: bus!, executor: clock)
    let held = HeldAnswers()
    fetches!.addHandler(named: "hung", in: scope) { await held.wait(as: "hung", trace) }
    let queue = fetches!.queue
    queue.begin(queue.makeNumber(), deadline: .seconds(30)) { trace("received \($0.line)") }
    clock.advance(by: .zero)
    withExtendedLifetime((bus, fetches, scope)) {}
    if ofBus { bus = nil } else { fetches = nil }
    expectNoDifference(
      trace.take(),
      [
        "received 1 failed 0 s: hung failed (ended before the handler answered) 0 s",
        "hung cancelled",
      ]
    )
    withExtendedLifetime((bus, fetches, scope)) {}
    held.giveUp()
  }

  @Test("A busy main actor delays the completion of a fetch by a second at most")
  func busyMainActor() async {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.begin()
    // The main actor is here all the time: what another thread completes can't be delivered.
    let reports = stage.fetches.reports.sink { [trace = stage.trace] in trace("report \($0.line)") }
    onOtherThread { stage.answer("inbox", .newData) }
    expectNoDifference(stage.trace.take(), ["inbox runs"])
    stage.clock.advance(by: .seconds(1))
    expectNoDifference(stage.trace.take(), ["received 1 newData 0 s: inbox newData 0 s"])
    let token = stage.bus.addObserver { [trace = stage.trace] in trace("\($0.kind)") }
    await mainQueueToDrain()
    expectNoDifference(
      stage.trace.take(),
      ["report 1 newData 0 s: inbox newData 0 s", "backgroundFetchDidComplete"]
    )
    withExtendedLifetime((token, reports)) {}
  }

  @Test("A fetch that is answered inside willTerminate is published, and its queue is released")
  func answeredAtTheEnd() {
    weak var queue: BackgroundFetchQueue?
    let trace = Trace()
    do {
      let stage = BackgroundFetchStage()
      queue = stage.fetches.queue
      let reports = stage.fetches.reports.sink(
        receiveCompletion: { _ in trace("no more reports") },
        receiveValue: { trace("report \($0.line)") }
      )
      stage.add("inbox")
      stage.begin()
      // Told before the coordinator, which was made earlier.
      let token = stage.bus.addObserver(for: [.willTerminate]) { _ in
        stage.answer("inbox", .newData)
      }
      stage.bus.send(.willTerminate)
      withExtendedLifetime((reports, token)) {}
    }
    expectNoDifference(trace.lines, ["report 1 newData 0 s: inbox newData 0 s", "no more reports"])
    #expect(queue == nil)
  }
}
