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

  private let lifecycle = ScriptedLifecycle()
  private var clock: ManualClock { lifecycle.clock }

  init() {
    lifecycle.perform(.launch, .becomeActive)
    lifecycle.takeTranscript()
  }

  private func startedCountdown() -> Countdown {
    let countdown = Countdown(.seconds(300), of: lifecycle.bus)
    countdown.start()
    return countdown
  }

  @Test("Becoming active without a visit to the background (Control Center, a call)")
  func activeWithoutBackground() {
    let byHand = ByHand(300, clock)
    byHand.viewWillAppear()
    let countdown = startedCountdown()
    lifecycle.record(countdown.states, as: "countdown")
    lifecycle.perform(.resignActive, .advance(by: .seconds(2)))
    byHand.didBecomeActive()
    lifecycle.perform(.becomeActive)
    expectNoDifference(byHand.left, 0, "since 1970, that is")
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
          [0 s active] countdown: running, 300 s
        resignActive
          [0 s inactive] willResignActive
        advance(by: 2 s)
          [1 s inactive] countdown: running, 299 s
          [2 s inactive] countdown: running, 298 s
        becomeActive
          [2 s active] didBecomeActive
        """
    )
    expectNoDifference(countdown.remaining, .seconds(298))
  }

  @Test("The decrement drifts with timers that are late")
  func decrementDriftsWithLateTimers() {
    let byHand = ByHand(300, clock)
    byHand.lag = .milliseconds(50)
    byHand.viewWillAppear()
    let countdown = startedCountdown()
    for _ in 0..<20 { lifecycle.perform(.stopProcess(for: .milliseconds(10_007))) }
    #expect(byHand.left > 270)
    expectNoDifference(countdown.remaining, .milliseconds(300_000 - 20 * 10_007))
    let states = lifecycle.record(countdown.states, as: "countdown")
    // The next tick is a whole second again.
    lifecycle.perform(.advance(by: .seconds(1)))
    expectNoDifference(states.elements, [.running(100), .running(99)])
  }

  @Test("The wall clock is set while the process is away", arguments: [-3600, 3600])
  func wallClock(shift: Int) {
    let byHand = ByHand(300, clock)
    byHand.viewWillAppear()
    let countdown = startedCountdown()
    byHand.didEnterBackground()
    lifecycle.perform(
      .enterBackground,
      .advance(by: .seconds(100)),
      .setWallClock(by: .seconds(shift)),
      .enterForeground
    )
    byHand.didBecomeActive()
    expectNoDifference(byHand.left, shift < 0 ? 3800 : 0)
    expectNoDifference(countdown.remaining, .seconds(200))
  }

  @Test("The clock that stops while the device sleeps")
  func clockStopsWhileDeviceSleeps() {
    let byHand = ByHand(300, clock, \.timeAwake)
    byHand.viewWillAppear()
    let countdown = startedCountdown()
    byHand.didEnterBackground()
    lifecycle.perform(.background(for: .seconds(250), deviceAsleep: .seconds(250)))
    byHand.didBecomeActive()
    expectNoDifference(byHand.left, 300)
    expectNoDifference(countdown.remaining, .seconds(50))
  }

  @Test("Killed in the background, and launched again")
  func killedInTheBackground() {
    // By hand, what remains is in a variable: the next process starts from the whole duration.
    var stored: Data?
    let lifecycle = ScriptedLifecycle { process in
      let record = try stored.map { try JSONDecoder().decode(Countdown.Record.self, from: $0) }
      let countdown =
        record.map { Countdown(restoring: $0, of: process.bus, tickInterval: .seconds(60)) }
        ?? Countdown(.seconds(300), of: process.bus, tickInterval: .seconds(60))
      countdown.start()
      stored = try JSONEncoder().encode(countdown.record)
      process.keep(countdown)
      process.record(countdown.states, as: "countdown")
    }
    lifecycle.perform(.launch, .becomeActive, .enterBackground, .kill)
    lifecycle.takeTranscript()
    lifecycle.perform(
      .advance(by: .seconds(200)),
      .relaunch,
      .becomeActive,
      .advance(by: .seconds(1)),
      .advance(by: .seconds(1000))
    )
    expectLifecycle(
      lifecycle.takeTranscript(),
      matches: """
        advance(by: 200 s)
        relaunch
          [200 s unknown] countdown: running, 100 s
          [200 s background] didFinishLaunching
        becomeActive
          [200 s inactive] willEnterForeground
          [200 s active] didBecomeActive
        advance(by: 1 s)
        advance(by: 1000 s)
          [240 s active] countdown: running, 60 s
          [300 s active] countdown: finished
        """
    )
  }

  @Test("A list of a thousand cells, on one timer")
  func listOfAThousandCells() {
    let byHand = (0..<1000).map { _ in ByHand(300, clock) }
    for cell in byHand { cell.viewWillAppear() }
    expectNoDifference(clock.timerCount, 1000)
    for cell in byHand { cell.didEnterBackground() }
    let countdowns = (1...1000).map { Countdown(.seconds($0), of: lifecycle.bus) }
    for countdown in countdowns { countdown.start() }
    expectNoDifference(clock.timerCount, 1)
    lifecycle.perform(.advance(by: .seconds(500)))
    expectNoDifference(clock.timerCount, 1)
    expectNoDifference(countdowns.filter { $0.state.status == .finished }.count, 500)
    lifecycle.perform(.advance(by: .seconds(500)))
    expectNoDifference(clock.timerCount, 0)
  }

  @Test("A view that appears again")
  func appearsAgain() {
    let byHand = ByHand(300, clock)
    let countdown = Countdown(.seconds(300), of: lifecycle.bus)
    for _ in 0..<3 {
      byHand.viewWillAppear()
      countdown.start()
    }
    lifecycle.perform(.advance(by: .seconds(10)))
    expectNoDifference(byHand.left, 270, "three timers")
    expectNoDifference(countdown.remaining, .seconds(290))
    expectNoDifference(clock.timerCount, 3 + 1)
  }

  @Test("Back after the end: it finishes once, with nothing remaining, and in the background rests")
  func afterTheEnd() {
    let countdown = startedCountdown()
    let states = lifecycle.record(countdown.states, as: "countdown")
    lifecycle.perform(.enterBackground)
    expectNoDifference(clock.timerCount, 0)
    lifecycle.perform(.advance(by: .seconds(301)))
    states.takeElements()
    for _ in 0..<3 {
      lifecycle.perform(.enterForeground, .advance(by: .seconds(1)), .enterBackground)
    }
    expectNoDifference(states.takeElements(), [.finished])
    expectNoDifference(countdown.remaining, .zero)
  }
}
