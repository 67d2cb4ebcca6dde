import CustomDump
import LifecycleCombine
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Countdown: its subscribers")
@MainActor
struct CountdownSubscriberTests {
  @Test("Who asks for little gets the latest, and the end after it", arguments: BusKind.allCases)
  func limitedDemand(_ kind: BusKind) {
    let stage = CountdownStage(kind)
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
    countdown = nil
    expectNoDifference(states.takeElements(), [])
    expectNoDifference(states.completion, nil)
    states.request(.max(1))
    expectNoDifference(states.takeElements(), [.finished])
    expectNoDifference(states.completion, .finished)
  }

  @Test("Demand that comes from inside a value is served", arguments: BusKind.allCases)
  func furtherDemand(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let countdown = stage.countdown(3)
    let trace = Trace()
    let subscriber = RawSubscriber<Countdown.State>(trace) { $0.line }
    countdown.states.subscribe(subscriber)
    subscriber.furtherDemand = { $0.remaining > .seconds(1) ? .max(1) : .none }
    subscriber.request(1)
    countdown.start()
    stage.pass(5)
    expectNoDifference(
      trace.take(),
      ["subscription", "idle 3", "running 3", "running 2", "running 1"]
    )
    subscriber.request(1)
    expectNoDifference(trace.take(), ["finished 0"])
    subscriber.cancel()
    countdown.restart()
    expectNoDifference(trace.take(), [])
    #expect(stage.bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "Who takes longer over a tick than the next one takes to come keeps nobody else waiting",
    arguments: BusKind.allCases
  )
  func slowSubscriberHoldsUpNobody(_ kind: BusKind) {
    let stage = CountdownStage(kind)
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
    withExtendedLifetime(countdown) {}
  }

  @Test("Several join and leave, also in a tick", arguments: BusKind.allCases)
  func severalJoinAndLeave(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let trace = stage.trace
    let countdown = stage.countdown(4)
    let leaver = UncheckedBox<AnyCancellable>()
    let joiner = UncheckedBox<AnyCancellable>()
    let first = countdown.states.sink { state in
      trace("first \(state.line)")
      guard state.line == "running 2" else { return }
      leaver.value = nil
      joiner.value = countdown.states.sink { trace("joiner \($0.line)") }
    }
    leaver.value = countdown.states.sink { trace("leaver \($0.line)") }
    countdown.start()
    stage.pass(0.25)
    let late = countdown.states.sink { trace("late \($0.line)") }
    expectNoDifference(
      trace.take(),
      ["first idle 4", "leaver idle 4", "first running 4", "leaver running 4", "late running 4"]
    )
    expectNoDifference(stage.bus.liveSubscriptions.count, 3)
    stage.pass(2)
    expectNoDifference(
      trace.take(),
      [
        "first running 3", "leaver running 3", "late running 3", "first running 2",
        "late running 2", "joiner running 2",
      ]
    )
    stage.pass(1)
    expectNoDifference(trace.take(), ["first running 1", "late running 1", "joiner running 1"])
    for sink in [first, late] { sink.cancel() }
    joiner.value = nil
    stage.pass(1)
    expectNoDifference(trace.take(), [])
    expectNoDifference(countdown.state.line, "finished 0")
    #expect(stage.bus.liveSubscriptions.isEmpty)
  }

  @Test("Who joins when the end has come untold learns of it, and so do the others")
  func joinsAfterTheEnd() {
    let lifecycle = BusKind.nonisolated.activeProcess()
    let countdown = Countdown(.seconds(4), of: lifecycle.bus)
    lifecycle.keep(countdown)
    lifecycle.record(countdown.states, as: "early")
    countdown.start()
    lifecycle.perform(.enterBackground, .advance(by: .seconds(10)))
    lifecycle.takeTranscript()
    lifecycle.record(countdown.states, as: "late")
    lifecycle.perform(.enterForeground)
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
          [10 s background] late: finished
          [10 s background] early: finished
        enterForeground
          [10 s inactive] willEnterForeground (away 10 s)
          [10 s active] didBecomeActive
        """
    )
  }

  @Test("Who joins before a tick that is due learns of it once", arguments: BusKind.allCases)
  func joinsBeforeTick(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let countdown = stage.countdown(10)
    stage.follow(countdown, "early")
    countdown.start()
    _ = stage.trace.take()
    let token = stage.bus.addObserver(for: [.systemDidWake, .willEnterForeground]) { _ in
      if stage.bus.phase == .active { stage.pass(1) }
      stage.follow(countdown, "late")
    }
    stage.bus.send(.systemDidWake)
    expectNoDifference(stage.trace.take(), ["late running 9", "early running 9"])
    stage.enterBackground()
    stage.pass(3.5)
    stage.enterForeground()
    let last = ["late running 6", "early running 6", "late running 6"]
    expectNoDifference(stage.trace.take(), last)
    stage.stopFollowing()
    stage.pass(1)
    token.cancel()
  }

  @Test(
    "A subscriber of a countdown that is gone, and so cancelled, gets its state and the end",
    arguments: BusKind.allCases
  )
  func joinsAfterRelease(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    var countdown: Countdown? = stage.countdown(5)
    countdown?.start()
    stage.pass(2)
    let states = countdown!.states
    countdown = nil
    let bus: any LifecycleBusProtocol = stage.bus
    let late = LifecycleRecorder(states, of: bus)
    expectNoDifference(late.elements, [.idle(5)])
    expectNoDifference(late.completion, .finished)
  }

  @Test("A sequence of the states", arguments: BusKind.allCases)
  func sequenceOfStates(_ kind: BusKind) async throws {
    let stage = CountdownStage(kind)
    var countdown: Countdown? = stage.countdown(3)
    let bus: any LifecycleBusProtocol = stage.bus
    let states = LifecycleRecorder(countdown!.states.asyncSequence(), of: bus)
    countdown!.start()
    stage.pass(3)
    countdown = nil
    let told = try await states.waitUntilEnd()
    expectNoDifference(told, [.idle(3), .running(3), .running(2), .running(1), .finished])
  }

  @Test(
    "The countdowns' own place is in no report; a state's observer is",
    arguments: BusKind.allCases
  )
  func countdownPlaceIsInNoReport(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let bus: any LifecycleBusProtocol = stage.bus
    let countdown = stage.countdown(3)
    countdown.start()
    #expect(bus.liveSubscriptions.isEmpty)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
    let trace = stage.trace
    let sink = countdown.states.sink { _ in
      trace("\(bus.diagnostics.runningObserver != nil) \(bus.liveSubscriptions.count)")
    }
    stage.pass(1)
    expectNoDifference(trace.take(), ["true 1", "true 1"])
    expectNoDifference(bus.diagnostics.runningObserver, nil)
    sink.cancel()
    #expect(bus.liveSubscriptions.isEmpty)
  }
}
