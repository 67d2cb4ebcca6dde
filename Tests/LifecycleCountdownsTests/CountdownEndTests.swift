import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleTesting
import TestSupport
import Testing

/// The bus ends: subscribers receive nothing further, and the states stay right.
@Suite("Countdown: the end of the bus")
@MainActor
struct CountdownEndTests {
  enum End: CaseIterable { case terminate, release }

  private func end(_ stage: CountdownStage, _ end: End) {
    switch end {
    case .terminate: stage.bus.send(.willTerminate)
    case .release: stage.releaseBus()
    }
  }

  @Test(
    "If the bus ends while a countdown runs, its states finish, and its state stays exact",
    arguments: End.allCases
  )
  func busEndsWhileItRuns(_ end: End) {
    let stage = CountdownStage()
    let countdown = stage.countdown(3)
    let states = stage.record(countdown)
    countdown.start()
    stage.pass(1)
    expectNoDifference(states.completion, nil)
    self.end(stage, end)
    expectNoDifference(states.completion, .finished)
    expectNoDifference(stage.clock.timerCount, 0)
    stage.pass(0.5)
    expectNoDifference(countdown.state, .running(1.5))
    countdown.extend(by: .seconds(1))
    expectNoDifference(countdown.state, .running(2.5))
    countdown.pause()
    stage.pass(10)
    expectNoDifference(countdown.state, .paused(2.5))
    countdown.resume()
    stage.pass(10)
    expectNoDifference(countdown.state.plain, .finished)
    countdown.reset()
    countdown.start()
    expectNoDifference(countdown.state, .running(3))
    expectNoDifference(stage.clock.timerCount, 0)
    expectNoDifference(states.elements, [.idle(3), .running(3), .running(2)])
  }

  @Test(
    "On a bus that has ended, a countdown counts, and a subscriber receives one state and the end"
  )
  func busEndsBeforeItIsMade() {
    let stage = CountdownStage()
    stage.bus.send(.willTerminate)
    let countdown = stage.countdown(3)
    countdown.start()
    for expected in [Countdown.State.running(2), .finished] {
      stage.pass(1)
      let states = stage.record(countdown)
      expectNoDifference(states.elements, [expected])
      expectNoDifference(states.completion, .finished)
      stage.pass(2)
    }
    expectNoDifference(stage.clock.timerCount, 0)
    weak let queue = countdown.core.queue
    withExtendedLifetime(countdown) { #expect(queue != nil) }
  }

  @Test(
    "States that were due before the bus ends in a tick are delivered before the streams finish"
  )
  func busEndsInItsTick() {
    let stage = CountdownStage()
    let countdown = stage.countdown(3)
    let other = stage.countdown(3)
    stage.follow(other, "other")
    let sink = countdown.states.sink(
      receiveCompletion: { [trace = stage.trace] _ in trace("ended") },
      receiveValue: { [trace = stage.trace, bus = stage.bus!] state in
        trace(state.line)
        guard state.line == "running 2" else { return }
        bus.send(.willTerminate)
        countdown.pause()
      }
    )
    countdown.start()
    other.start()
    _ = stage.trace.take()
    stage.pass(5)
    // What was to be reported before the input was accepted is reported before its delivery.
    expectNoDifference(
      stage.trace.take(),
      ["running 2", "paused 2", "other running 2", "other ended", "ended"]
    )
    expectNoDifference(stage.clock.timerCount, 0)
    sink.cancel()
    withExtendedLifetime(other) {}
  }

  @Test(
    "After the end of the bus, releasing all countdowns releases their queue",
    arguments: End.allCases
  )
  func nothingLeft(_ end: End) {
    let stage = CountdownStage()
    var countdowns = (1...3).map { stage.countdown(Double($0)) }
    for countdown in countdowns {
      stage.follow(countdown)
      countdown.start()
    }
    let weak = countdowns.map { Weak($0.core) }
    let queue = Weak(countdowns[0].core.queue)
    self.end(stage, end)
    countdowns = []
    stage.stopFollowing()
    #expect(weak.allSatisfy { !$0.isAlive })
    #expect(!queue.isAlive)
  }
}
