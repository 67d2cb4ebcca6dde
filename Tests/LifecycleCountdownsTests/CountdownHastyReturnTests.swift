import CustomDump
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Countdown: a return that is over before it was told")
@MainActor
struct CountdownHastyReturnTests {
  @Test("It counts on, and the next return tells", arguments: Countdown.BackgroundBehavior.allCases)
  func hastyReturn(_ behavior: Countdown.BackgroundBehavior) async {
    let stage = CountdownStage(.mainActor)
    let countdown = stage.countdown(10, inBackground: behavior)
    // Who joins later would have the countdown looked at.
    let states = stage.record(countdown)
    countdown.start()
    // The main actor hears of all three at once, and of no tick between them.
    onOtherThread {
      for kind in [LifecycleEvent.Kind.didEnterBackground, .didBecomeActive, .didEnterBackground] {
        stage.bus.send(kind)
        stage.pass(0.25)
      }
    }
    await mainQueueToDrain()
    states.takeElements()
    stage.enterForeground()
    expectNoDifference(states.takeElements(), [.running(behavior == .pause ? 9.75 : 10)])
    stage.pass(20)
    expectNoDifference(states.elements.last, .finished)
    expectNoDifference(stage.clock.timerCount, 0)
    withExtendedLifetime(countdown) {}
  }
}
