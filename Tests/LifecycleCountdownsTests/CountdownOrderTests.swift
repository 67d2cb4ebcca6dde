import CustomDump
import LifecycleCombine
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// What a jump of the clock makes due at once is told in the order in which it happened.
@Suite("Countdown: order after a jump of the clock")
@MainActor
struct CountdownOrderTests {
  enum Jump: CaseIterable { case stop, sleep, advance, busyThread }

  private func jump(_ jump: Jump, _ stage: CountdownStage, _ seconds: Double) async {
    switch jump {
    case .stop: stage.clock.stopProcess(for: .seconds(seconds))
    case .sleep: stage.clock.sleepDevice(for: .seconds(seconds))
    case .advance: stage.pass(seconds)
    case .busyThread:
      // On a main-actor bus the timer's turn comes when all this time has passed.
      onOtherThread { stage.pass(seconds) }
      await mainQueueToDrain()
    }
  }

  @Test(
    "Those with the same end finish in the order of their start, whatever their ticks",
    arguments: BusKind.allCases,
    Jump.allCases
  )
  func sameEnd(_ kind: BusKind, _ jump: Jump) async {
    let stage = CountdownStage(kind)
    let intervals: [Duration?] = [nil, .seconds(1), .seconds(3), nil, .milliseconds(300)]
    let countdowns = intervals.enumerated().map { number, interval in
      let countdown = stage.countdown(10, tickInterval: interval)
      stage.follow(countdown, "\(number)")
      return countdown
    }
    let order = [3, 1, 4, 0, 2]
    for number in order { countdowns[number].start() }
    _ = stage.trace.take()
    await self.jump(jump, stage, 60)
    expectNoDifference(
      stage.trace.take().filter { $0.contains("finished") },
      order.map { "\($0) finished 0" }
    )
    expectNoDifference(stage.clock.timerCount, 0)
  }

  @Test(
    "The one that ends first finishes first, whatever their ticks",
    arguments: BusKind.allCases,
    Jump.allCases
  )
  func differentEnds(_ kind: BusKind, _ jump: Jump) async {
    let stage = CountdownStage(kind)
    let five = stage.countdown(300)
    let three = stage.countdown(180, tickInterval: .seconds(60))
    let four = stage.countdown(240, tickInterval: nil)
    for (countdown, name) in [(five, "five"), (three, "three"), (four, "four")] {
      stage.follow(countdown, name)
      countdown.start()
    }
    _ = stage.trace.take()
    await self.jump(jump, stage, 3600)
    expectNoDifference(
      stage.trace.take().filter { $0.contains("finished") },
      ["three finished 0", "four finished 0", "five finished 0"]
    )
  }

  @Test(
    "A tick that is late is told in its place among the ends, once, and the next one comes on time",
    arguments: BusKind.allCases
  )
  func ticksAndEnds(_ kind: BusKind) {
    let lifecycle = kind.activeProcess()
    let seconds: [(Double, Duration?)] = [
      (100, .seconds(1)), (59.5, .seconds(1)), (100, .seconds(45)), (30, nil), (70.25, .seconds(7)),
    ]
    let countdowns = seconds.enumerated().map { number, parts in
      let countdown = Countdown(.seconds(parts.0), of: lifecycle.bus, tickInterval: parts.1)
      lifecycle.record(countdown.states, as: "\(number)")
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

  enum Late: CaseIterable { case stop, `return` }

  @Test(
    "One that is asked for something in another's end finishes after those that ended before it",
    arguments: BusKind.allCases,
    Late.allCases
  )
  func askedInAnEnd(_ kind: BusKind, _ late: Late) {
    let stage = CountdownStage(kind)
    let countdowns = (1...4).map { stage.countdown(Double($0)) }
    let trace = stage.trace
    let sink = countdowns[0].states.sink { state in
      trace("1 \(state.line)")
      if state.status == .finished { countdowns[2].cancel() }
    }
    for number in 2...4 { stage.follow(countdowns[number - 1], "\(number)") }
    for countdown in countdowns { countdown.start() }
    _ = trace.take()
    switch late {
    case .stop: stage.clock.stopProcess(for: .seconds(10))
    case .return:
      stage.enterBackground()
      stage.pass(10)
      stage.enterForeground()
    }
    expectNoDifference(
      trace.take(),
      ["1 finished 0", "2 finished 0", "3 finished 0", "3 idle 3", "4 finished 0"]
    )
    sink.cancel()
  }

  @Test(
    "One that is asked for something before the timer's turn finishes after those that ended before it",
    arguments: BusKind.allCases
  )
  func askedBeforeTheTimer(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let countdowns = (1...4).map { stage.countdown(Double($0)) }
    for number in 1...4 { stage.follow(countdowns[number - 1], "\(number)") }
    for countdown in countdowns { countdown.start() }
    _ = stage.trace.take()
    let third = countdowns[2]
    let earlier = stage.clock.schedule(at: stage.clock.now.continuous + .seconds(0.5)) {
      third.cancel()
    }
    stage.clock.stopProcess(for: .seconds(10))
    expectNoDifference(
      stage.trace.take(),
      ["1 finished 0", "2 finished 0", "3 finished 0", "3 idle 3", "4 finished 0"]
    )
    earlier.cancel()
  }

  @Test(
    "One that is asked for something in the return finishes after those that ended before it",
    arguments: BusKind.allCases
  )
  func askedInTheReturn(_ kind: BusKind) {
    let stage = CountdownStage(kind)
    let countdowns = (1...4).map { stage.countdown(Double($0)) }
    for number in 1...4 { stage.follow(countdowns[number - 1], "\(number)") }
    for countdown in countdowns { countdown.start() }
    stage.enterBackground()
    stage.pass(10)
    _ = stage.trace.take()
    let third = countdowns[2]
    let token = stage.bus.addObserver(for: [.willEnterForeground]) { _ in third.cancel() }
    stage.enterForeground()
    token.cancel()
    expectNoDifference(
      stage.trace.take(),
      ["1 finished 0", "2 finished 0", "3 finished 0", "3 idle 3", "4 finished 0"]
    )
  }
}
