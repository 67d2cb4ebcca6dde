import CustomDump
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Countdown")
@MainActor
struct CountdownTests {
  @Test(
    "Ticks fall on whole seconds of what remains, and the end comes once",
    arguments: BusKind.allCases
  )
  func ticksFallOnWholeSecondsOfWhatRemains(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let countdown = stage.countdown(2.5)
    stage.follow(countdown)
    expectNoDifference(stage.trace.take(), ["idle 2.5"])
    countdown.start()
    expectNoDifference(stage.trace.take(), ["running 2.5"])
    stage.pass(0.499)
    expectNoDifference(stage.trace.take(), [])
    stage.pass(0.001)
    expectNoDifference(stage.trace.take(), ["running 2"])
    #expect(countdown.remaining == .seconds(2))
    stage.pass(0.25)
    #expect(countdown.remaining == .seconds(1.75))
    stage.pass(1)
    expectNoDifference(stage.trace.take(), ["running 1"])
    stage.pass(100)
    expectNoDifference(stage.trace.take(), ["finished 0"])
    #expect(countdown.remaining == .zero)
    #expect(stage.clock.timerCount == 0)
    withExtendedLifetime(stage.bus) {}
  }

  @Test(
    "In the background no timer is armed, and the return brings one tick at once",
    arguments: BusKind.allCases
  )
  func catchUp(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let countdown = stage.countdown(300)
    stage.follow(countdown)
    countdown.start()
    stage.pass(2)
    expectNoDifference(
      stage.trace.take(),
      ["idle 300", "running 300", "running 299", "running 298"]
    )
    stage.enterBackground()
    #expect(stage.clock.timerCount == 0)
    stage.pass(30)
    stage.clock.sleepDevice(for: .seconds(60.5))
    expectNoDifference(stage.trace.take(), [])
    stage.enterForeground()
    expectNoDifference(stage.trace.take(), ["running 208"])
    stage.pass(0.5)
    expectNoDifference(stage.trace.take(), ["running 207"])
    stage.enterBackground()
    stage.pass(1000)
    stage.enterForeground()
    expectNoDifference(stage.trace.take(), ["finished 0"])
    stage.enterBackground()
    stage.enterForeground()
    expectNoDifference(stage.trace.take(), [])
    withExtendedLifetime(countdown) {}
  }

  @Test("Held by the background, and firing there", arguments: BusKind.allCases)
  func holdAndFire(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let holding = stage.countdown(10, inBackground: .pause)
    let firing = stage.countdown(10, inBackground: .finishOnTime)
    stage.follow(holding, "holding")
    stage.follow(firing, "firing")
    holding.start()
    firing.start()
    _ = stage.trace.take()
    stage.pass(0.5)
    stage.enterBackground()
    expectNoDifference(stage.trace.take(), ["holding paused 9.5"])
    #expect(stage.clock.timerCount == 1)
    stage.pass(20)
    expectNoDifference(stage.trace.take(), ["firing finished 0"])
    #expect(stage.clock.timerCount == 0)
    stage.enterForeground()
    expectNoDifference(stage.trace.take(), ["holding running 9.5"])
    stage.pass(9.5)
    expectNoDifference(stage.trace.take().last, "holding finished 0")
    withExtendedLifetime((holding, firing)) {}
  }

  @Test("An end that came before the way out is told as the end", arguments: BusKind.allCases)
  func endBeforeBackground(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let countdown = stage.countdown(10, inBackground: .pause)
    stage.follow(countdown)
    countdown.start()
    _ = stage.trace.take()
    var late = stage.clock.now
    late.continuous += .seconds(11)
    stage.bus.send(.didEnterBackground, at: late)
    expectNoDifference(stage.trace.take(), ["finished 0"])
    stage.pass(20)
    stage.enterForeground()
    expectNoDifference(stage.trace.take(), [])
    #expect(countdown.state.line == "finished 0")
  }

  @Test("Nobody listens: no timer is armed when nothing is due", arguments: BusKind.allCases)
  func noTimerWithoutSubscribers(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    var countdown: Countdown? = stage.countdown(10)
    let stops: [(Countdown?) -> Void] = [
      { $0?.pause() }, { $0?.cancel() }, { $0?.extend(by: .seconds(-10)) },
    ]
    for stop in stops {
      countdown?.restart()
      #expect(stage.clock.timerCount == 1)
      stop(countdown)
      #expect(stage.clock.timerCount == 0)
    }
    // Others remain, which are due later, or not at all.
    let idle = stage.countdown(10)
    countdown?.restart()
    countdown = nil
    #expect(stage.clock.timerCount == 0)
    withExtendedLifetime(idle) {}
  }

  @Test(
    "A released countdown's states finish; it leaves nothing behind",
    arguments: BusKind.allCases
  )
  func releasedCountdownFinishes(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    var countdown: Countdown? = stage.countdown(10)
    stage.follow(countdown!)
    countdown?.start()
    weak let queue = countdown?.core.queue
    #expect(queue != nil)
    countdown = nil
    expectNoDifference(stage.trace.take(), ["idle 10", "running 10", "ended"])
    stage.stopFollowing()
    #expect(queue == nil)
    #expect(stage.clock.timerCount == 0)
    #expect(stage.bus.liveSubscriptions.isEmpty)
  }
}
