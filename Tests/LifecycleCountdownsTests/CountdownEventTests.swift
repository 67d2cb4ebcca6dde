import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

@testable import LifecycleCountdowns

/// An end is an event: whoever subscribes afterwards does not receive it again.
@Suite("Countdown: ends")
@MainActor
struct CountdownEventTests {
  private let stage = CountdownStage()

  /// Records the ends of a countdown.
  private func ends(
    of countdown: Countdown,
    on stage: CountdownStage? = nil,
    demand: Subscribers.Demand = .unlimited
  ) -> LifecycleRecorder<Countdown.State, Never> {
    LifecycleRecorder(countdown.ends.map(\.plain), of: (stage ?? self.stage).bus, demand: demand)
  }

  /// Returns the state by way of JSON, and a stage for it on the same boot, `seconds` later.
  private func nextProcess(
    _ saved: Countdown.SavedState,
    after seconds: Double = 0
  ) throws -> (saved: Countdown.SavedState, stage: CountdownStage) {
    let now = stage.clock.now.advanced(by: .seconds(seconds))
    let data = try JSONEncoder().encode(saved)
    return (
      try JSONDecoder().decode(Countdown.SavedState.self, from: data),
      CountdownStage(clock: ManualClock(now))
    )
  }

  @Test("Each run's end reaches those who are subscribed, and not those who come later")
  func eachAppearance() {
    let countdown = stage.countdown(3)
    let first = ends(of: countdown)
    let second = ends(of: countdown)
    countdown.start()
    stage.pass(2.999)
    expectNoDifference(first.elements, [])
    stage.pass(1)
    let late = ends(of: countdown)
    for recorder in [first, second] { expectNoDifference(recorder.takeElements(), [.finished]) }
    expectNoDifference(late.elements, [])
    // Each way to an end, and no other command.
    countdown.restart()
    stage.pass(3)
    countdown.restart()
    countdown.pause()
    countdown.resume()
    countdown.extend(by: .seconds(-3))
    countdown.reset()
    for recorder in [first, second, late] {
      expectNoDifference(recorder.takeElements(), [.finished, .finished])
    }
    // On the return, before those who are subscribed are notified.
    var onReturn: LifecycleRecorder<Countdown.State, Never>?
    let token = stage.bus.addObserver(for: .willEnterForeground) { _ in
      onReturn = ends(of: countdown)
    }
    countdown.restart()
    stage.enterBackground()
    stage.pass(5)
    stage.enterForeground()
    expectNoDifference(first.takeElements(), [.finished])
    expectNoDifference(onReturn?.elements, [])
    withExtendedLifetime((countdown, token)) {}
  }

  @Test("An end without a subscriber waits for the first one, unless the countdown begins anew")
  func endWithoutSubscriber() {
    let countdown = stage.countdown(3)
    countdown.start()
    stage.enterBackground()
    stage.pass(5)
    stage.enterForeground()
    expectNoDifference(ends(of: countdown).elements, [.finished])
    expectNoDifference(ends(of: countdown).elements, [])
    // In the background, where nothing has reported it.
    countdown.restart()
    stage.enterBackground()
    stage.pass(5)
    expectNoDifference(ends(of: countdown).elements, [.finished])
    stage.enterForeground()
    expectNoDifference(ends(of: countdown).elements, [])
    countdown.restart()
    stage.pass(3)
    countdown.restart()
    let running = ends(of: countdown)
    expectNoDifference(running.elements, [])
    running.cancel()
    #expect(countdown.core.endRows.isEmpty)
    stage.pass(3)
    expectNoDifference(running.elements, [], "it has left")
    #expect(countdown.savedState.isEndPending)
    countdown.reset()
    expectNoDifference(ends(of: countdown).elements, [])
  }

  @Test("An end that came while the process was away is received once, by one of the launches")
  func oncePerRecord() throws {
    let countdown = stage.countdown(60)
    countdown.start()
    // Killed while it runs, or in the background, where nothing reports the end; stored before and
    // after it.
    let running = countdown.savedState
    stage.enterBackground()
    stage.pass(100)
    let elapsed = countdown.savedState
    stage.enterForeground()
    let reported = countdown.savedState
    for (stored, time) in [(running, 100.0), (elapsed, 0), (reported, 0)] {
      var (saved, stage) = try nextProcess(stored, after: time)
      let unheard = Countdown(restoring: saved, of: stage.bus)
      expectNoDifference(unheard.state.plain, .finished)
      // A launch at which nobody subscribed.
      (saved, stage) = try nextProcess(unheard.savedState, after: time)
      let heard = Countdown(restoring: saved, of: stage.bus)
      let received = LifecycleRecorder(heard.ends.map(\.plain), of: stage.bus)
      expectNoDifference(received.elements, [.finished])
      (saved, stage) = try nextProcess(heard.savedState, after: time)
      expectNoDifference(saved.status, .finished)
      let again = Countdown(restoring: saved, of: stage.bus)
      expectNoDifference(ends(of: again, on: stage).elements, [])
      stage.pass(1000)
      expectNoDifference(ends(of: again, on: stage).elements, [])
    }
    withExtendedLifetime(countdown) {}
  }

  @Test("A state that is saved in an observer of the end records that the end was received")
  func savedStateInTheEnd() {
    let countdown = stage.countdown(3)
    let trace = stage.trace
    // In the state, the end has not been received yet: a process that is killed now receives it.
    let states = countdown.states.dropFirst(2).sink { state in
      trace("\(state.line) \(countdown.savedState.isEndPending)")
    }
    let ends = countdown.ends.sink { _ in trace("ended \(countdown.savedState.isEndPending)") }
    countdown.start()
    stage.pass(5)
    expectNoDifference(
      trace.take(),
      ["running 2 false", "running 1 false", "finished 0 true", "ended false"]
    )
    states.cancel()
    ends.cancel()
  }

  @Test("Limited demand loses no end; ends finish when the countdown is released, or the bus ends")
  func demandAndCompletion() {
    var countdown: Countdown? = stage.countdown(1)
    let received = ends(of: countdown!, demand: .none)
    for _ in 0..<3 {
      countdown?.restart()
      stage.pass(1)
    }
    expectNoDifference(received.takeElements(), [])
    received.request(.max(2))
    expectNoDifference(received.takeElements(), [.finished, .finished])
    let stream = countdown!.ends
    countdown = nil
    expectNoDifference(received.completion, nil)
    received.request(.max(1))
    expectNoDifference(received.takeElements(), [.finished])
    expectNoDifference(received.completion, .finished)
    let late = LifecycleRecorder(stream, of: stage.bus)
    expectNoDifference(late.elements, [])
    expectNoDifference(late.completion, .finished)

    let other = stage.countdown(1)
    let last = ends(of: other)
    stage.bus.send(.willTerminate)
    expectNoDifference(last.completion, .finished)
    #expect(stage.bus.diagnostics.liveSubscriptions.isEmpty)
    withExtendedLifetime(other) {}
  }

  @Test("An end that was only kept for a subscriber is not received, and goes to another")
  func keptEnd() {
    let countdown = stage.countdown(1)
    let slow = (1...2).map { _ in ends(of: countdown, demand: .none) }
    countdown.start()
    stage.pass(1)
    #expect(countdown.savedState.isEndPending)
    // It is not that of a subscriber that comes later, until the first ones have left.
    let late = ends(of: countdown)
    slow[0].cancel()
    expectNoDifference(late.elements, [])
    slow[1].cancel()
    expectNoDifference(late.elements, [.finished])
    #expect(!countdown.savedState.isEndPending)
  }

  @Test(
    "Of two ends that wait, the second goes to another subscriber if the first one leaves before it"
  )
  func leavesInTheFirstOfTwo() {
    // Both at the same moment.
    let countdown = stage.countdown(0)
    let slow = ends(of: countdown, demand: .none)
    countdown.start()
    countdown.restart()
    slow.request(.max(1))
    expectNoDifference(slow.elements, [.finished])
    #expect(countdown.savedState.isEndPending)
    slow.cancel()
    expectNoDifference(ends(of: countdown).elements, [.finished])
    #expect(!countdown.savedState.isEndPending)
  }

  @Test("An end that a loop has not requested when its scope ends waits for another subscriber")
  func keptForALoop() async {
    for isWaiting in [false, true] {
      let (countdown, scope, trace) = (stage.countdown(1), LifecycleScope("screen"), Trace())
      let task = scope.task(for: countdown.ends) { ends in
        trace("listens")
        for await _ in ends { trace("received") }
      }
      while isWaiting, trace.lines.isEmpty { await Task.yield() }
      countdown.start()
      stage.pass(1)
      // A loop that waits has the end, which resumes it.
      #expect(countdown.savedState.isEndPending == !isWaiting)
      scope.end()
      await task.value
      expectNoDifference(trace.lines, isWaiting ? ["listens", "received"] : ["listens"])
      expectNoDifference(ends(of: countdown).elements, isWaiting ? [] : [.finished])
    }
  }

  @Test("An end has its instant, at which the next countdown can start")
  func instantOfTheEnd() {
    let (work, rest, scope) = (stage.countdown(60), stage.countdown(30), LifecycleScope("timer"))
    let start = stage.clock.continuous
    var ends: [Duration?] = []
    for (ending, next) in [(work, rest), (rest, work)] {
      ending.ends.sink { end in
        ends.append(end.endedAt.map { $0 - start })
        if let instant = end.endedAt { next.restart(at: instant) }
      }
      .store(in: scope)
    }
    work.start()
    stage.enterBackground()
    stage.clock.stopProcess(for: .seconds(75))
    stage.enterForeground()
    expectNoDifference(rest.state, .running(15))
    stage.enterBackground()
    stage.pass(90)
    expectNoDifference(rest.state.endedAt, start + .seconds(90))
    // Several ends in one stay, as if someone had looked each time.
    stage.enterForeground()
    expectNoDifference(ends, [.seconds(60), .seconds(90), .seconds(150)])
    expectNoDifference(rest.state, .running(15))
    rest.extend(by: .seconds(-20))
    expectNoDifference(rest.state.endedAt, stage.clock.continuous)
    rest.restart(at: stage.clock.continuous + .seconds(9))
    expectNoDifference(rest.state, .running(30))
  }

  @Test("A child scope that is replaced by the next end in the same stay is not reported")
  func childScopeOfAnEnd() {
    let (bus, scope) = (stage.bus!, LifecycleScope("timer"))
    bus.addObserver(in: scope) { _ in }
    var child: LifecycleScope?
    let countdowns = [stage.countdown(1), stage.countdown(2)]
    for countdown in countdowns {
      countdown.ends.sink { [unowned scope] _ in
        child = LifecycleScope("child", parent: scope)
        child?.task {}
      }
      .store(in: scope)
      countdown.start()
    }
    stage.enterBackground()
    stage.pass(3)
    expectNoDifference(reportedIssues { stage.enterForeground() }, [])
    withExtendedLifetime((scope, countdowns)) { #expect(child != nil) }
  }

  @Test("The instant of an end is restored in the next process, on the same boot and on another")
  func instantOfTheEndElsewhere() throws {
    let countdown = stage.countdown(60)
    countdown.start()
    let running = countdown.savedState
    let end = stage.clock.continuous + .seconds(60)
    stage.pass(100)
    expectNoDifference(countdown.state.endedAt, end)
    for saved in [running, countdown.savedState] {
      let (saved, next) = try nextProcess(saved, after: 20)
      let restored = Countdown(restoring: saved, of: next.bus)
      expectNoDifference(restored.state.endedAt, end)
      let stored = restored.savedState
      next.clock.restartDevice(for: .seconds(30))
      let again = Countdown(restoring: stored, of: LifecycleBus(clock: next.clock))
      expectNoDifference(again.state.endedAt, next.clock.continuous - .seconds(90))
    }
  }

  @Test("An end that waits for a subscriber's demand is not repeated when another one leaves")
  func leavingBeforeDemand() {
    let countdown = stage.countdown(3)
    countdown.start()
    stage.pass(3)
    let waiting = LifecycleRecorder(countdown.ends, of: stage.bus, demand: .none)
    ends(of: countdown).cancel()
    waiting.request(.unlimited)
    expectNoDifference(waiting.elements.count, 1)
  }
}
