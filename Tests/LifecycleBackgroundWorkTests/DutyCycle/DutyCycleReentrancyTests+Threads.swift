import CustomDump
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Bursts and rests that end on other threads, while the main thread is here.
extension DutyCycleReentrancyTests {
  @Test("While the main thread is blocked, a rest lasts as long as the cycle specifies")
  func blockedMainThread() async {
    for kind in BusKind.allCases {
      // The comparison would shorten the rest to 59.5 s.
      let stage = DutyCycleStage(
        kind,
        DutyCycle(burst: 1, rest: .seconds(60)),
        remainingTime: .milliseconds(60_500)
      )
      stage.bus.send(.didEnterBackground)
      let upstream = stage.upstream
      _ = onOtherThread { upstream.send(1) }
      expectNoDifference(stage.take(), ["1", "cancel 1"])
      stage.clock.advance(by: .milliseconds(59_900))
      expectNoDifference(stage.take(), [])
      stage.clock.advance(by: .milliseconds(100))
      expectNoDifference(stage.take(), ["subscribe 2", "ask unlimited"])
      await mainQueueToDrain()
      stage.downstream.cancel()
    }
  }

  @Test("A rest that another thread ends on a main actor's bus ends on the main actor")
  func restEndsOnTheMainActor() async {
    let stage = DutyCycleStage(.mainActor, DutyCycle(burst: 1, rest: .seconds(10)))
    stage.bus.send(.didEnterBackground)
    stage.send(1)
    _ = stage.take()
    stage.upstream.hook { [trace = stage.trace] hooks in
      hooks.subscribe = { _ in trace("on main \(MainQueue.isCurrent)") }
    }
    let clock = stage.clock
    onOtherThread { clock.advance(by: .seconds(10)) }
    expectNoDifference(stage.take(), [])
    await mainQueueToDrain()
    expectNoDifference(stage.take(), ["subscribe 2", "on main true", "ask unlimited"])
    stage.downstream.cancel()
  }

  @Test("A rest is not reported after downstream has cancelled")
  func cancelledBeforeTheReport() async {
    for kind in BusKind.allCases {
      let stage = DutyCycleStage(kind, DutyCycle(burst: 1, rest: .seconds(60)))
      stage.bus.send(.didEnterBackground)
      let upstream = stage.upstream
      _ = onOtherThread { upstream.send(1) }
      stage.downstream.cancel()
      await mainQueueToDrain()
      expectNoDifference(stage.take(), ["1", "cancel 1"])
    }
  }
}
