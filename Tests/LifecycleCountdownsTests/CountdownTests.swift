import CustomDump
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleTesting
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

  init() {
    lifecycle.perform(.launch, .becomeActive)
    lifecycle.takeTranscript()
  }

  @Test("Ticks fall on whole seconds of the remaining time, and the end comes once")
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
    bus.onOpen(in: scope, initial: false) { _ in trace("request") }
    let session = Countdown(.seconds(180), of: bus, inBackground: behavior)
    session.states.dropFirst().sink { trace("\($0.status) \(bus.phase)") }.store(in: scope)
    session.ends.sink { _ in trace("sign out \(bus.phase)") }.store(in: scope)
    session.start()
    _ = trace.take()
    lifecycle.perform(.enterBackground, pass, .becomeActive)
    expectNoDifference(trace.take(), ["finished background", "sign out background", "request"])
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
    let states = lifecycle.transcribe(countdown!.states, as: "countdown")
    countdown?.start()
    weak let queue = countdown?.core.queue
    withExtendedLifetime(countdown) { #expect(queue != nil) }
    countdown = nil
    expectNoDifference(states.elements, [.idle(10), .running(10)])
    expectNoDifference(states.completion, .finished)
    expectNoLiveSubscriptions(of: lifecycle)
    #expect(queue == nil)
    expectNoDifference(lifecycle.clock.timerCount, 0)
  }

  // MARK: Faults of code written by hand

  @Test("A countdown ticks on while the app is inactive (Control Center, a call)")
  func activeWithoutBackground() {
    let countdown = Countdown(.seconds(300), of: lifecycle.bus)
    countdown.start()
    let states = lifecycle.transcribe(countdown.states, as: "countdown")
    lifecycle.perform(.resignActive, .advance(by: .seconds(2)), .becomeActive)
    expectNoDifference(states.elements, [.running(300), .running(299), .running(298)])
  }
}
