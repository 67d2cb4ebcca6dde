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
  @Test("Who asks for little gets the latest, and the end after it")
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

  @Test("Of the states that a slow subscriber gets, none follows itself")
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

  @Test("Demand that comes from inside a value is served")
  func furtherDemand() {
    let stage = CountdownStage()
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
    #expect(stage.bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test(
    "Who takes longer over a tick than the next one takes to come keeps nobody else waiting"
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

  @Test(
    "A subscriber of a released countdown gets its state and the end"
  )
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

  @Test("A sequence of the states")
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func sequenceOfStates() async throws {
    let stage = CountdownStage()
    var countdown: Countdown? = stage.countdown(3)
    let states = LifecycleRecorder(countdown!.states.asyncSequence(), of: stage.bus)
    countdown!.start()
    stage.pass(3)
    withExtendedLifetime(countdown) {}
    countdown = nil
    let told = try await states.waitUntilEnd()
    expectNoDifference(
      told.map(\.plain),
      [.idle(3), .running(3), .running(2), .running(1), .finished]
    )
  }

  @Test(
    "The countdowns' own place is in no report; a state's observer is"
  )
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

  // MARK: Order after a jump of the clock

  @Test(
    "A tick that is late is told in its place among the ends, once, and the next one comes on time"
  )
  func ticksAndEnds() {
    let lifecycle = ScriptedLifecycle()
    lifecycle.perform(.launch, .becomeActive)
    let seconds: [(Double, Duration?)] = [
      (100, .seconds(1)), (59.5, .seconds(1)), (100, .seconds(45)), (30, nil), (70.25, .seconds(7)),
    ]
    let countdowns = seconds.enumerated().map { number, parts in
      let countdown = Countdown(.seconds(parts.0), of: lifecycle.bus, tickInterval: parts.1)
      lifecycle.transcribe(countdown.states, as: "\(number)")
      return countdown
    }
    for countdown in countdowns { countdown.start() }
    lifecycle.takeTranscript()
    lifecycle.perform(.stopProcess(for: .seconds(60)), .advance(by: .seconds(4.25)))
    // What was due in the stop: at 30, 55, 56.25, 59.5 and 60.
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
        stopProcess(for: 60 s)
          [60 s active] 3: finished
          [60 s active] 2: running, 45 s
          [60 s active] 4: running, 14 s
          [60 s active] 1: finished
          [60 s active] 0: running, 40 s
        advance(by: 4.25 s)
          [61 s active] 0: running, 39 s
          [62 s active] 0: running, 38 s
          [63 s active] 0: running, 37 s
          [63.25 s active] 4: running, 7 s
          [64 s active] 0: running, 36 s
        """
    )
    withExtendedLifetime(countdowns) {}
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
    expectNoDifference(
      run(at: "running 2") { $1.reset() },
      ["a running 2"] + both("idle 3")
    )
    let restart = ["a running 2"] + both("running 3")
    expectNoDifference(run(at: "running 2") { $1.restart() }, restart + restart + restart)
    expectNoDifference(
      run(at: "running 2") { $1.pause() },
      both("running 2", "paused 2")
    )
    expectNoDifference(
      run(at: "running 1") { $1.extend(by: .seconds(-5)) },
      both("running 2", "running 1", "finished 0")
    )
    expectNoDifference(
      run(at: "finished 0") { $1.restart() }.suffix(4),
      both("finished 0", "running 3")[...]
    )
  }

  @Test("A subscriber may move the clock and the bus in a tick")
  func movesTheWorld() {
    let lines = run(at: "running 2") { stage, _ in
      stage.enterBackground()
      stage.pass(1.5)
      stage.enterForeground()
    }
    expectNoDifference(lines, both("running 2", "running 1", "finished 0"))
  }
}
