import CustomDump
import Foundation
import LifecycleCombine
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// A bus in the foreground with a clock of its own, and a trace of countdowns.
final class CountdownStage: @unchecked Sendable {
  let clock: ManualClock
  let trace = Trace()
  private(set) var bus: LifecycleBus!
  private var cancellables: [AnyCancellable] = []

  init(phase: LifecycleEvent.Kind = .didBecomeActive, clock: ManualClock = ManualClock()) {
    self.clock = clock
    bus = LifecycleBus(clock: clock)
    bus.send(phase)
  }

  func countdown(
    _ seconds: Double,
    tickInterval: Duration? = .seconds(1),
    inBackground behavior: Countdown.BackgroundBehavior = .catchUp
  ) -> Countdown {
    Countdown(.seconds(seconds), of: bus, tickInterval: tickInterval, inBackground: behavior)
  }

  /// Traces the states of a countdown: `a running 5`.
  func follow(_ countdown: Countdown, _ name: String = "") {
    countdown.states.sink(
      receiveCompletion: { [trace] _ in trace("\(name) ended".trimmed) },
      receiveValue: { [trace] in trace("\(name) \($0.line)".trimmed) }
    )
    .store(in: &cancellables)
  }

  /// Records the states of a countdown.
  func record(
    _ countdown: Countdown,
    demand: Subscribers.Demand = .unlimited
  ) -> LifecycleRecorder<Countdown.State, Never> {
    LifecycleRecorder(countdown.states.map(\.plain), of: bus, demand: demand)
  }

  func stopFollowing() { cancellables = [] }

  func pass(_ seconds: Double) { clock.advance(by: .seconds(seconds)) }

  func enterBackground() { bus.send(.didEnterBackground) }

  func enterForeground() { bus.send(.didBecomeActive) }

  func releaseBus() { bus = nil }
}

extension Countdown.State {
  static let finished = Self(status: .finished, remaining: .zero)

  /// The state without the instant of the end.
  var plain: Self { Self(status: status, remaining: remaining, isClockTrusted: isClockTrusted) }

  static func idle(_ seconds: Double) -> Self {
    Self(status: .idle, remaining: .seconds(seconds))
  }

  static func running(_ seconds: Double) -> Self {
    Self(status: .running, remaining: .seconds(seconds))
  }

  static func paused(_ seconds: Double) -> Self {
    Self(status: .paused, remaining: .seconds(seconds))
  }

  /// The state as traces show it: `running 5`, `paused 4.2 unverified`.
  var line: String {
    let seconds = remaining / .seconds(1)
    let number = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    return "\(status) \(number)\(isClockTrusted ? "" : " unverified")"
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

@Suite("Countdown")
@MainActor
struct CountdownTests {
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

  @Test("Ticks fall on whole seconds of what remains, and the end comes once")
  func ticksFallOnWholeSecondsOfWhatRemains() {
    let countdown = Countdown(.seconds(2.5), of: lifecycle.bus)
    lifecycle.transcribe(countdown.states, as: "countdown")
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

  @Test("In the background no timer is armed, and the return brings one tick at once")
  func catchUp() {
    let countdown = Countdown(.seconds(300), of: lifecycle.bus)
    lifecycle.transcribe(countdown.states, as: "countdown")
    countdown.start()
    lifecycle.perform(.advance(by: .seconds(2)), .enterBackground)
    expectNoDifference(lifecycle.clock.timerCount, 0)
    lifecycle.perform(
      .advance(by: .seconds(30)),
      .sleepDevice(for: .seconds(60.5)),
      .enterForeground,
      .becomeActive,
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
        becomeActive
          [92.5 s active] didBecomeActive
        advance(by: 0.5 s)
          [93 s active] countdown: running, 207 s
        background(for: 1000 s)
          [93 s inactive] willResignActive
          [93 s background] didEnterBackground
          [1093 s background] countdown: finished
          [1093 s inactive] willEnterForeground (away 1000 s)
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

  @Test(
    "An end that passed while the process was away comes before the return, whoever subscribed first",
    arguments: [Countdown.BackgroundBehavior.catchUp, .finishOnTime],
    [
      .advance(by: .seconds(181)), .sleepDevice(for: .seconds(181)),
      .stopProcess(for: .seconds(181)),
    ] as [LifecycleStep]
  )
  func endBeforeReturn(_ behavior: Countdown.BackgroundBehavior, _ pass: LifecycleStep) {
    let (bus, trace, scope) = (lifecycle.bus, Trace(), LifecycleScope("session"))
    bus.onOpen(in: scope) { _ in trace("request") }
    let session = Countdown(.seconds(180), of: bus, inBackground: behavior)
    session.states.dropFirst().sink { trace("\($0.status) \(bus.phase)") }.store(in: scope)
    session.ends.sink { _ in trace("sign out \(bus.phase)") }.store(in: scope)
    session.start()
    _ = trace.take()
    lifecycle.perform(.enterBackground, pass, .becomeActive)
    expectNoDifference(trace.take(), ["finished background", "sign out background", "request"])
  }

  @Test("A countdown may pause in the background, or finish there on time")
  func holdAndFire() {
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
    lifecycle.transcribe(holding.states, as: "holding")
    lifecycle.transcribe(firing.states, as: "firing")
    holding.start()
    firing.start()
    lifecycle.takeTranscript()
    lifecycle.perform(.advance(by: .seconds(0.5)), .enterBackground)
    expectNoDifference(lifecycle.clock.timerCount, 1)
    lifecycle.perform(.advance(by: .seconds(20)))
    expectNoDifference(lifecycle.clock.timerCount, 0)
    lifecycle.perform(.enterForeground, .becomeActive, .advance(by: .seconds(9.5)))
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
        becomeActive
          [20.5 s active] didBecomeActive
        advance(by: 9.5 s)
          [21 s active] holding: running, 9 s
          [30 s active] holding: finished
        """
    )
    withExtendedLifetime((holding, firing)) {}
  }

  @Test("An end that came before the transition to the background is reported as the end")
  func endBeforeBackground() {
    let stage = CountdownStage()
    let countdown = stage.countdown(10, inBackground: .pause)
    let states = stage.record(countdown)
    countdown.start()
    var late = stage.clock.now
    late.continuous += .seconds(11)
    stage.bus.send(.didEnterBackground, at: late)
    expectNoDifference(states.elements, [.idle(10), .running(10), .finished])
    withExtendedLifetime(countdown) {}
  }

  @Test("Without subscribers, no timer is armed when nothing is due")
  func noTimerWithoutSubscribers() {
    let stage = CountdownStage()
    var countdown: Countdown? = stage.countdown(10)
    let stops: [(Countdown?) -> Void] = [
      { $0?.pause() }, { $0?.reset() }, { $0?.extend(by: .seconds(-10)) },
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

  @Test("A released countdown's states finish; it leaves nothing behind")
  func releasedCountdownFinishes() {
    var countdown: Countdown? = Countdown(.seconds(10), of: lifecycle.bus)
    lifecycle.transcribe(countdown!.states, as: "countdown")
    countdown?.start()
    weak let queue = countdown?.core.queue
    withExtendedLifetime(countdown) { #expect(queue != nil) }
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

  // MARK: Faults of code written by hand

  @Test("Becoming active without a stay in the background (Control Center, a call) changes nothing")
  func activeWithoutBackground() {
    let countdown = startedCountdown()
    lifecycle.transcribe(countdown.states, as: "countdown")
    lifecycle.perform(.resignActive, .advance(by: .seconds(2)), .becomeActive)
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

  @Test("Late timers do not make a countdown drift")
  func lateTimers() {
    let countdown = startedCountdown()
    for _ in 0..<20 { lifecycle.perform(.stopProcess(for: .milliseconds(10_007))) }
    expectNoDifference(countdown.remaining, .milliseconds(300_000 - 20 * 10_007))
    let states = lifecycle.transcribe(countdown.states, as: "countdown")
    // The next tick is a whole second again.
    lifecycle.perform(.advance(by: .seconds(1)))
    expectNoDifference(states.elements, [.running(100), .running(99)])
    withExtendedLifetime(countdown) {}
  }

  @Test("Device sleep counts, and setting the wall clock has no effect", arguments: [-3600, 3600])
  func otherClocks(shift: Int) {
    let countdown = startedCountdown()
    lifecycle.perform(
      .enterBackground,
      .advance(by: .seconds(50)),
      .sleepDevice(for: .seconds(50)),
      .setWallClock(by: .seconds(shift)),
      .enterForeground
    )
    expectNoDifference(countdown.remaining, .seconds(200))
  }

  @Test("A process that was killed in the background restores its countdown")
  func killedInTheBackground() {
    var stored: Data?
    let lifecycle = ScriptedLifecycle { process in
      let saved = try stored.map { try JSONDecoder().decode(Countdown.SavedState.self, from: $0) }
      let countdown =
        saved.map { Countdown(restoring: $0, of: process.bus, tickInterval: .seconds(60)) }
        ?? Countdown(.seconds(300), of: process.bus, tickInterval: .seconds(60))
      countdown.start()
      stored = try JSONEncoder().encode(countdown.savedState)
      process.keep(countdown)
      process.transcribe(countdown.states, as: "countdown")
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

  @Test("A view that appears again does not restart a countdown")
  func appearsAgain() {
    let countdown = Countdown(.seconds(300), of: lifecycle.bus)
    for _ in 0..<3 {
      countdown.start()
      lifecycle.perform(.advance(by: .seconds(10)))
    }
    expectNoDifference(countdown.remaining, .seconds(270))
    expectNoDifference(clock.timerCount, 1)
    withExtendedLifetime(countdown) {}
  }

  @Test("A countdown that ended in the background finishes once, before the return")
  func afterTheEnd() {
    let countdown = startedCountdown()
    let states = lifecycle.transcribe(countdown.states, as: "countdown")
    lifecycle.perform(.enterBackground)
    expectNoDifference(clock.timerCount, 0)
    lifecycle.perform(.advance(by: .seconds(301)))
    states.takeElements()
    for _ in 0..<3 {
      lifecycle.perform(.enterForeground, .advance(by: .seconds(1)), .enterBackground)
    }
    expectNoDifference(states.takeElements().map(\.plain), [.finished])
    expectNoDifference(countdown.remaining, .zero)
  }
}
