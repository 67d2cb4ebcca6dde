import LifecycleCombine
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport

/// A bus in the foreground with a clock of its own, and a trace of countdowns.
final class CountdownStage: @unchecked Sendable {
  let clock: ManualClock
  let trace = Trace()
  private(set) var bus: (any LifecycleBusProtocol)!
  private var cancellables: [AnyCancellable] = []

  init(
    _ kind: BusKind,
    phase: LifecycleEvent.Kind? = .didBecomeActive,
    clock: ManualClock = ManualClock()
  ) {
    self.clock = clock
    bus = kind.make(clock: clock)
    if let phase { bus.send(phase) }
  }

  func countdown(
    _ seconds: Double,
    tickInterval: Duration? = .seconds(1),
    inBackground behavior: Countdown.BackgroundBehavior = .catchUp
  ) -> Countdown {
    let bus: any LifecycleBusProtocol = bus
    return Countdown(.seconds(seconds), of: bus, tickInterval: tickInterval, inBackground: behavior)
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
    let bus: any LifecycleBusProtocol = bus
    return LifecycleRecorder(countdown.states, of: bus, demand: demand)
  }

  func stopFollowing() { cancellables = [] }

  func pass(_ seconds: Double) { clock.advance(by: .seconds(seconds)) }

  func enterBackground() { bus.send(.didEnterBackground) }

  func enterForeground() { bus.send(.didBecomeActive) }

  func releaseBus() { bus = nil }
}

extension Countdown.State {
  static let finished = Self(status: .finished, remaining: .zero)

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
