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
    let lifecycle = kind.activeProcess()
    let countdown = Countdown(.seconds(2.5), of: lifecycle.bus)
    lifecycle.record(countdown.states, as: "countdown")
    countdown.start()
    lifecycle.perform(.advance(by: .seconds(0.75)))
    expectNoDifference(countdown.remaining, .seconds(1.75))
    lifecycle.perform(.advance(by: .seconds(101)))
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
          [0 s active] countdown: idle, 2.5 s
          [0 s active] countdown: running, 2.5 s
        advance(by: 0.75 s)
          [0.5 s active] countdown: running, 2 s
        advance(by: 101 s)
          [1.5 s active] countdown: running, 1 s
          [2.5 s active] countdown: finished
        """
    )
    expectNoDifference(countdown.remaining, .zero)
    expectNoDifference(lifecycle.clock.timerCount, 0)
  }

  @Test(
    "In the background no timer is armed, and the return brings one tick at once",
    arguments: BusKind.allCases
  )
  func catchUp(_ kind: BusKind) {
    let lifecycle = kind.activeProcess()
    let countdown = Countdown(.seconds(300), of: lifecycle.bus)
    lifecycle.record(countdown.states, as: "countdown")
    countdown.start()
    lifecycle.perform(.advance(by: .seconds(2)), .enterBackground)
    expectNoDifference(lifecycle.clock.timerCount, 0)
    lifecycle.perform(
      .advance(by: .seconds(30)),
      .sleepDevice(for: .seconds(60.5)),
      .enterForeground,
      .advance(by: .seconds(0.5)),
      .background(for: .seconds(1000)),
      .background(for: .zero)
    )
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
          [0 s active] countdown: idle, 300 s
          [0 s active] countdown: running, 300 s
        advance(by: 2 s)
          [1 s active] countdown: running, 299 s
          [2 s active] countdown: running, 298 s
        enterBackground
          [2 s inactive] willResignActive
          [2 s background] didEnterBackground
        advance(by: 30 s)
        sleepDevice(for: 60.5 s)
        enterForeground
          [92.5 s inactive] willEnterForeground (away 90.5 s, asleep 60.5 s)
          [92.5 s inactive] countdown: running, 208 s
          [92.5 s active] didBecomeActive
        advance(by: 0.5 s)
          [93 s active] countdown: running, 207 s
        background(for: 1000 s)
          [93 s inactive] willResignActive
          [93 s background] didEnterBackground
          [1093 s inactive] willEnterForeground (away 1000 s)
          [1093 s inactive] countdown: finished
          [1093 s active] didBecomeActive
        background(for: 0 s)
          [1093 s inactive] willResignActive
          [1093 s background] didEnterBackground
          [1093 s inactive] willEnterForeground (away 0 s)
          [1093 s active] didBecomeActive
        """
    )
    withExtendedLifetime(countdown) {}
  }

  @Test("Held by the background, and firing there", arguments: BusKind.allCases)
  func holdAndFire(_ kind: BusKind) {
    let lifecycle = kind.activeProcess()
    let (bus, interval) = (lifecycle.bus, Duration.seconds(9))
    let holding = Countdown(
      .seconds(10),
      of: bus,
      tickInterval: interval,
      inBackground: .pause
    )
    let firing = Countdown(
      .seconds(10),
      of: bus,
      tickInterval: interval,
      inBackground: .finishOnTime
    )
    lifecycle.record(holding.states, as: "holding")
    lifecycle.record(firing.states, as: "firing")
    holding.start()
    firing.start()
    lifecycle.takeTranscript()
    lifecycle.perform(.advance(by: .seconds(0.5)), .enterBackground)
    expectNoDifference(lifecycle.clock.timerCount, 1)
    lifecycle.perform(.advance(by: .seconds(20)))
    expectNoDifference(lifecycle.clock.timerCount, 0)
    lifecycle.perform(.enterForeground, .advance(by: .seconds(9.5)))
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
        advance(by: 0.5 s)
        enterBackground
          [0.5 s inactive] willResignActive
          [0.5 s background] didEnterBackground
          [0.5 s background] holding: paused, 9.5 s
        advance(by: 20 s)
          [10 s background] firing: finished
        enterForeground
          [20.5 s inactive] willEnterForeground (away 20 s)
          [20.5 s inactive] holding: running, 9.5 s
          [20.5 s active] didBecomeActive
        advance(by: 9.5 s)
          [21 s active] holding: running, 9 s
          [30 s active] holding: finished
        """
    )
    withExtendedLifetime((holding, firing)) {}
  }

  @Test("An end that came before the way out is told as the end", arguments: BusKind.allCases)
  func endBeforeBackground(_ kind: BusKind) {
    let lifecycle = kind.activeProcess()
    let countdown = Countdown(.seconds(10), of: lifecycle.bus, inBackground: .pause)
    lifecycle.record(countdown.states, as: "countdown")
    countdown.start()
    lifecycle.takeTranscript()
    var late = lifecycle.clock.now
    late.continuous += .seconds(11)
    lifecycle.bus.send(.didEnterBackground, at: late)
    lifecycle.perform(.advance(by: .seconds(20)), .enterForeground)
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
          [0 s inactive] willResignActive (synthesized)
          [0 s background] didEnterBackground (manual)
          [0 s background] countdown: finished
        advance(by: 20 s)
        enterForeground
          [20 s inactive] willEnterForeground (away 9 s, clock set by 11 s)
          [20 s active] didBecomeActive
        """
    )
    expectNoDifference(countdown.state, .finished)
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
      expectNoDifference(stage.clock.timerCount, 1)
      stop(countdown)
      expectNoDifference(stage.clock.timerCount, 0)
    }
    // Others remain, which are due later, or not at all.
    let idle = stage.countdown(10)
    countdown?.restart()
    countdown = nil
    expectNoDifference(stage.clock.timerCount, 0)
    withExtendedLifetime(idle) {}
  }

  @Test(
    "A released countdown's states finish; it leaves nothing behind",
    arguments: BusKind.allCases
  )
  func releasedCountdownFinishes(_ kind: BusKind) {
    let lifecycle = kind.activeProcess()
    var countdown: Countdown? = Countdown(.seconds(10), of: lifecycle.bus)
    lifecycle.record(countdown!.states, as: "countdown")
    countdown?.start()
    weak let queue = countdown?.core.queue
    #expect(queue != nil)
    countdown = nil
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
          [0 s active] countdown: idle, 10 s
          [0 s active] countdown: running, 10 s
          [0 s active] countdown: completed
        """
    )
    expectNoLiveSubscriptions(of: lifecycle)
    #expect(queue == nil)
    expectNoDifference(lifecycle.clock.timerCount, 0)
  }
}
