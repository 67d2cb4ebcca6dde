import CustomDump
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Samples of duty cycles run")
@MainActor
struct DutyCycleSampleRuns {
  private let samples = DutyCycleSamples()

  @Test("A cycle has a burst and a rest")
  func cycleHasBurstAndRest() {
    let cycle = samples.cycle()
    #expect(cycle.burst == 10 && cycle.delivery == .last && cycle.rest == .seconds(20))
  }

  @Test("In the background each tenth place counts, and the receiver rests")
  func dutyCycle() {
    samples.bus.send(.didBecomeActive)
    samples.dutyCycle()
    samples.location.updates.send("home")
    samples.bus.send(.didEnterBackground)
    for number in 1...15 { samples.location.updates.send("\(number)") }
    expectNoDifference(samples.output, ["remind of home", "remind of 10"])
    expectNoDifference(samples.host.openTasks, ["duty cycle"])
    samples.clock.advance(by: .seconds(20))
    for number in 16...25 { samples.location.updates.send("\(number)") }
    expectNoDifference(samples.output, ["remind of home", "remind of 10", "remind of 25"])
    samples.scope.end()
  }

  @Test("A meter shows how long the receiver was on")
  func meterShowsHowLongReceiverWasOn() {
    samples.bus.send(.didEnterBackground)
    let meter = samples.meter(DutyCycle(burst: 1, rest: .seconds(15)))
    samples.clock.advance(by: .seconds(5))
    samples.positions.send("here")
    samples.clock.advance(by: .seconds(15))
    expectNoDifference(samples.output, ["show here"])
    expectNoDifference(meter.subscribedDuration, .seconds(5))
    expectNoDifference(meter.subscribedShare, 0.25)
    samples.scope.end()
  }
}
