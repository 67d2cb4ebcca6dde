import CustomDump
import LifecycleTesting
import OpenCombineShim
import Testing

@testable import ReactiveLifecycle

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
    #expect(stage.clock.timerCount == 0)
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
      let token = stage.bus.observe(for: [.willTerminate]) { _ in
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
}
