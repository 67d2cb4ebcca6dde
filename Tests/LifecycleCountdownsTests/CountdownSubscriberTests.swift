import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleTesting
import TestSupport
import Testing

@Suite("Countdown: subscribers")
@MainActor
struct CountdownSubscriberTests {
  @Test("Limited demand receives the latest state, and then the end")
  func limitedDemand() {
    let stage = CountdownStage()
    var countdown: Countdown? = stage.countdown(5)
    let states = stage.record(countdown!, demand: .none)
    countdown?.start()
    stage.pass(2)
    expectNoDifference(states.takeElements(), [])
    states.request(.max(1))
    expectNoDifference(states.takeElements(), [.running(3)])
    stage.pass(1)
    states.request(.max(2))
    expectNoDifference(states.takeElements(), [.running(2)])
    stage.pass(1)
    expectNoDifference(states.takeElements(), [.running(1)])
    stage.pass(1)
    withExtendedLifetime(countdown) {}
    countdown = nil
    expectNoDifference(states.takeElements(), [])
    expectNoDifference(states.completion, nil)
    states.request(.max(1))
    expectNoDifference(states.takeElements(), [.finished])
    expectNoDifference(states.completion, .finished)
  }

  @Test("A slow subscriber does not receive the same state twice in a row")
  func noStateFollowsItself() async {
    let stage = CountdownStage()
    var countdown: Countdown? = stage.countdown(5)
    let states = stage.record(countdown!, demand: .max(1))
    let sequence = countdown!.states.asyncSequence(buffering: .bufferingNewest(1))
    var newest = sequence.makeAsyncIterator()
    var received: [Countdown.State?] = await [newest.next()]
    expectNoDifference(states.takeElements(), [.idle(5)])
    countdown!.start()
    countdown!.reset()
    states.request(.max(1))
    expectNoDifference(states.takeElements(), [])
    countdown = nil
    received += await [newest.next()]
    expectNoDifference(received, [.idle(5), nil])
  }

  @Test(
    "A subscriber that is slower than the ticks receives the boundary passed last, in later turns"
  )
  func slowSubscriberHoldsUpNobody() {
    let stage = CountdownStage()
    let (clock, trace) = (stage.clock, stage.trace)
    let countdown = stage.countdown(10)
    let sink = countdown.states.dropFirst().sink { state in
      trace(state.line)
      clock.stopProcess(for: .seconds(2.5))
    }
    countdown.start()
    expectNoDifference(trace.take(), ["running 10"])
    // The timer had its turn, and what others wanted could have had theirs.
    clock.advance(by: .zero)
    expectNoDifference(trace.take(), ["running 8", "running 5", "running 3", "finished 0"])
    sink.cancel()
    withExtendedLifetime((stage, countdown)) {}
  }

  @Test("A subscriber of a released countdown gets its state and the end")
  func joinsAfterRelease() {
    let stage = CountdownStage()
    var countdown: Countdown? = stage.countdown(5)
    countdown?.start()
    stage.pass(2)
    let states = countdown!.states
    countdown = nil
    let late = LifecycleRecorder(states, of: stage.bus)
    expectNoDifference(late.elements, [.idle(5)])
    expectNoDifference(late.completion, .finished)
  }

  @Test("Live subscriptions contain the subscribers of a countdown, and not its own row")
  func countdownPlaceIsInNoReport() {
    let stage = CountdownStage()
    let bus = stage.bus!
    let countdown = stage.countdown(3)
    countdown.start()
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    let trace = stage.trace
    let sink = countdown.states.sink { _ in
      trace("\(bus.diagnostics.runningObserver != nil) \(bus.diagnostics.liveSubscriptions.count)")
    }
    stage.pass(1)
    expectNoDifference(trace.take(), ["true 1", "true 1"])
    expectNoDifference(bus.diagnostics.runningObserver, nil)
    sink.cancel()
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    withExtendedLifetime(countdown) {}
  }

  // MARK: From inside a tick

  /// What two subscribers of a countdown of 3 s receive, of which the first acts in a state.
  private func run(
    at line: String,
    _ action: @escaping @Sendable (CountdownStage, Countdown) -> Void
  ) -> [String] {
    let stage = CountdownStage()
    let countdown = stage.countdown(3)
    let sinks = ["a", "b"].map { name in
      countdown.states.sink { [trace = stage.trace] state in
        trace("\(name) \(state.line)")
        if name == "a", state.line == line { action(stage, countdown) }
      }
    }
    countdown.start()
    _ = stage.trace.take()
    stage.pass(3)
    for sink in sinks { sink.cancel() }
    return stage.trace.take()
  }

  private func both(_ lines: String...) -> [String] { lines.flatMap { ["a \($0)", "b \($0)"] } }

  @Test(
    "A tick in which a subscriber resets or restarts the countdown does not reach the later subscribers"
  )
  func actsInItsOwnTick() {
    expectNoDifference(run(at: "running 2") { $1.reset() }, ["a running 2"] + both("idle 3"))
    let restart = ["a running 2"] + both("running 3")
    expectNoDifference(run(at: "running 2") { $1.restart() }, restart + restart + restart)
  }

  @Test("A subscriber that moves the clock and the bus in a tick receives the states that follow")
  func movesTheWorld() {
    let lines = run(at: "running 2") { stage, _ in
      stage.enterBackground()
      stage.pass(1.5)
      stage.enterForeground()
    }
    expectNoDifference(lines, both("running 2", "running 1", "finished 0"))
  }
}
