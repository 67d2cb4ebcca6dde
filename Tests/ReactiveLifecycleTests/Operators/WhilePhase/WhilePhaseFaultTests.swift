import CustomDump
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The faults of code that starts and stops work by hand.
@MainActor
@Suite("While phase: the faults of code written by hand")
struct WhilePhaseFaultTests {
  @Test("The service is not started twice, by the screen and by the return to the foreground")
  func startedTwice() {
    let stage = WhilePhaseStage(.mainActor)
    stage.bus.send(all: .didBecomeActive, .didBecomeActive, .willResignActive, .didBecomeActive)
    expectNoDifference(stage.upstream.liveCount, 1)
    stage.downstream.cancel()
    expectNoDifference(stage.upstream.liveCount, 0)
  }

  @Test("The service is started again on return, and not left running behind")
  func notRestarted() {
    let stage = WhilePhaseStage(.mainActor)
    stage.bus.send(.didBecomeActive)
    stage.bus.send(.didEnterBackground)
    expectNoDifference(stage.upstream.liveCount, 0)
    stage.bus.send(.didBecomeActive)
    expectNoDifference(stage.upstream.liveCount, 1)
    stage.downstream.cancel()
  }
}
