import CustomDump
import Foundation
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// The faults of a countdown that is made by hand, and their absence.
@MainActor
@Suite("A countdown that is right after the background")
struct HandwrittenCountdownTests {
  /// A counter that a timer decrements, and what is subtracted on becoming active.
  private final class ByHand: @unchecked Sendable {
    var left: Double
    private let clock: ManualClock
    private let reading: any KeyPath<LifecycleInstant, Duration> & Sendable
    private var entered = Duration.zero
    private(set) var timers: [LifecycleCancellable] = []
    /// How late the timer is, each time.
    var lag = Duration.zero

    init(
      _ seconds: Double,
      _ clock: ManualClock,
      _ reading: any KeyPath<LifecycleInstant, Duration> & Sendable = \.timeSince1970
    ) {
      left = seconds
      self.clock = clock
      self.reading = reading
    }

    func viewWillAppear() { arm(timers.count) }

    private func arm(_ slot: Int) {
      let timer = clock.schedule(at: clock.continuous + .seconds(1) + lag) { [unowned self] in
        left = max(0, left - 1)
        arm(slot)
      }
      if slot < timers.count { timers[slot] = timer } else { timers.append(timer) }
    }

    func didEnterBackground() {
      entered = clock.now[keyPath: reading]
      timers = []
    }

    func didBecomeActive() {
      left = max(0, left - (clock.now[keyPath: reading] - entered) / .seconds(1))
      if timers.isEmpty { arm(0) }
    }
  }

  private let stage = CountdownStage(.mainActor)

  @Test("Becoming active without a visit to the background (Control Center, a call)")
  func activeWithoutBackground() {
    let byHand = ByHand(300, stage.clock)
    byHand.viewWillAppear()
    let countdown = stage.countdown(300)
    countdown.start()
    stage.follow(countdown)
    _ = stage.trace.take()
    stage.bus.send(.willResignActive)
    stage.pass(2)
    byHand.didBecomeActive()
    stage.bus.send(.didBecomeActive)
    #expect(byHand.left == 0, "since 1970, that is")
    expectNoDifference(stage.trace.take(), ["running 299", "running 298"])
    #expect(countdown.remaining == .seconds(298))
  }

  @Test("The decrement drifts with timers that are late")
  func decrementDriftsWithLateTimers() {
    let byHand = ByHand(300, stage.clock)
    byHand.lag = .milliseconds(50)
    byHand.viewWillAppear()
    let countdown = stage.countdown(300)
    countdown.start()
    for _ in 0..<20 { stage.clock.stopProcess(for: .milliseconds(10_007)) }
    #expect(byHand.left > 270)
    #expect(countdown.remaining == .milliseconds(300_000 - 20 * 10_007))
    stage.follow(countdown)
    // The next tick is a whole second again.
    stage.pass(1)
    expectNoDifference(stage.trace.take(), ["running 100", "running 99"])
  }

  @Test("The wall clock is set while the process is away", arguments: [-3600, 3600])
  func wallClock(shift: Int) {
    let byHand = ByHand(300, stage.clock)
    byHand.viewWillAppear()
    let countdown = stage.countdown(300)
    countdown.start()
    byHand.didEnterBackground()
    stage.enterBackground()
    stage.pass(100)
    stage.clock.setWallClock(by: .seconds(shift))
    byHand.didBecomeActive()
    stage.enterForeground()
    #expect(byHand.left == (shift < 0 ? 3800 : 0))
    #expect(countdown.remaining == .seconds(200))
  }

  @Test("The clock that stops while the device sleeps")
  func clockStopsWhileDeviceSleeps() {
    let byHand = ByHand(300, stage.clock, \.timeAwake)
    byHand.viewWillAppear()
    let countdown = stage.countdown(300)
    countdown.start()
    byHand.didEnterBackground()
    stage.enterBackground()
    stage.clock.sleepDevice(for: .seconds(250))
    byHand.didBecomeActive()
    stage.enterForeground()
    #expect(byHand.left == 300)
    #expect(countdown.remaining == .seconds(50))
  }

  @Test("Killed in the background, and launched again")
  func killedInTheBackground() throws {
    // By hand, what remains is in a variable: the next process starts from the whole duration.
    let countdown = stage.countdown(300)
    countdown.start()
    stage.enterBackground()
    let stored = try JSONEncoder().encode(countdown.record)
    stage.pass(200)
    let next = CountdownStage(.mainActor, phase: nil, clock: ManualClock(stage.clock.now))
    let record = try JSONDecoder().decode(Countdown.Record.self, from: stored)
    let restored = Countdown(restoring: record, of: next.bus as! LifecycleBus)
    next.follow(restored)
    next.enterForeground()
    next.pass(1)
    next.pass(1000)
    let lines = next.trace.take()
    expectNoDifference(lines.first, "running 100")
    expectNoDifference(lines.filter { $0.hasPrefix("finished") }, ["finished 0"])
  }

  @Test("A list of a thousand cells, on one timer")
  func listOfAThousandCells() {
    let byHand = (0..<1000).map { _ in ByHand(300, stage.clock) }
    for cell in byHand { cell.viewWillAppear() }
    #expect(stage.clock.timerCount == 1000)
    for cell in byHand { cell.didEnterBackground() }
    let countdowns = (1...1000).map { stage.countdown(Double($0)) }
    for countdown in countdowns { countdown.start() }
    #expect(stage.clock.timerCount == 1)
    stage.pass(500)
    #expect(stage.clock.timerCount == 1)
    #expect(countdowns.filter { $0.state.status == .finished }.count == 500)
    stage.pass(500)
    #expect(stage.clock.timerCount == 0)
  }

  @Test("A view that appears again")
  func appearsAgain() {
    let byHand = ByHand(300, stage.clock)
    let countdown = stage.countdown(300)
    for _ in 0..<3 {
      byHand.viewWillAppear()
      countdown.start()
    }
    stage.pass(10)
    #expect(byHand.left == 270, "three timers")
    #expect(countdown.remaining == .seconds(290))
    #expect(stage.clock.timerCount == 3 + 1)
  }

  @Test("Back after the end: it finishes once, with nothing remaining, and in the background rests")
  func afterTheEnd() {
    let countdown = stage.countdown(300)
    countdown.start()
    stage.follow(countdown)
    stage.enterBackground()
    #expect(stage.clock.timerCount == 0)
    stage.pass(301)
    _ = stage.trace.take()
    for _ in 0..<3 {
      stage.enterForeground()
      stage.pass(1)
      stage.enterBackground()
    }
    expectNoDifference(stage.trace.take(), ["finished 0"])
    #expect(countdown.remaining == .zero)
  }
}
