import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Background fetch: what comes at the wrong moment")
@MainActor
struct BackgroundFetchLateTests {
  @Test("A fetch that is over before it begins waits for a busy main actor no longer than others")
  func expiredBeforeItBegins() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    let run = stage.fetches.core.makeRun()
    run.whenConcluded { [trace = stage.trace] in trace("told \($0.line)") }
    // The main actor is here all the time.
    onOtherThread {
      run.expire()
      stage.fetches.core.begin(run, deadline: .seconds(30))
    }
    expectNoDifference(stage.trace.take(), [])
    stage.clock.advance(by: .seconds(1))
    expectNoDifference(
      stage.trace.take(),
      ["told 1 failed 0 s: inbox failed (no answer by the deadline) 0 s"]
    )
    expectNoDifference(stage.clock.timerCount, 0)
  }

  @Test("Who has answered is not told to give up, not even when that is asked for later")
  func askedAfterTheAnswer() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    stage.add("news")
    let run = stage.begin()
    stage.answer("inbox", .noData)
    stage.completion("inbox").onCancel { [trace = stage.trace] in trace("inbox told") }
    run.expire()
    expectNoDifference(stage.trace.lines.suffix(1), ["news cancelled"])
    stage.completion("inbox").onCancel { [trace = stage.trace] in trace("inbox told") }
    stage.completion("news").onCancel { [trace = stage.trace] in trace("news told") }
    expectNoDifference(stage.trace.lines.suffix(2), ["news cancelled", "news told"])
    stage.answer("news", .failed(FetchTrouble()))
  }

  @Test(
    "A fetch that is answered inside willTerminate is published, and nothing is left of it",
    arguments: [Duration.zero, .seconds(1)]
  )
  func answeredAtTheEnd(_ delay: Duration) {
    weak var core: BackgroundFetchCore?
    let trace = Trace()
    do {
      let stage = BackgroundFetchStage(.nonisolated)
      core = stage.fetches.core
      let reports = stage.fetches.reports.sink(
        receiveCompletion: { _ in trace("no more reports") },
        receiveValue: { trace("report \($0.line)") }
      )
      stage.add("inbox")
      stage.begin()
      // Told before the coordinator, which was made earlier.
      let token = stage.bus.addObserver(for: [.willTerminate]) { _ in
        stage.answer("inbox", .newData)
        stage.clock.advance(by: delay)
        trace("answered: \(stage.trace.lines.count > 1)")
      }
      stage.bus.send(.willTerminate)
      stage.dropCompletions()
      withExtendedLifetime((reports, token)) {}
    }
    let line = "1 newData 0 s: inbox newData 0 s"
    expectNoDifference(
      trace.lines,
      ["answered: \(delay > .zero)", "report \(line)", "no more reports"]
    )
    #expect(core == nil)
  }

  @Test("A closure that is set replaces the one before, which is released")
  func cancellationIsReplaced() {
    let stage = BackgroundFetchStage()
    stage.add("inbox")
    let run = stage.begin()
    let trace = Trace()
    stage.completion("inbox").onCancel { [canary = Canary { trace("released") }] in
      canary.sing()
      trace("first")
    }
    stage.completion("inbox").onCancel { trace("second") }
    expectNoDifference(trace.take(), ["released"])
    run.expire()
    expectNoDifference(trace.take(), ["second"])
    expectNoDifference(stage.trace.lines.contains("inbox cancelled"), false)
    stage.answer("inbox", .failed(FetchTrouble()))
  }
}
