import Foundation
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import LifecycleFlightRecording
import SteppedClock
import Synchronization

/// Something that is done, or held, some number of times.
struct Scenario: Sendable {
  let name: String
  /// How many there are in the shorter of two runs.
  let units: Int
  let quantities: Set<Quantity>
  /// Does it, and returns what it keeps alive.
  let perform: @Sendable (Int) -> Any

  private init(
    _ name: String,
    units: Int,
    _ quantities: Set<Quantity>,
    perform: @escaping @Sendable (Int) -> Any
  ) {
    (self.name, self.units, self.quantities) = (name, units, quantities)
    self.perform = perform
  }
}

extension Scenario {
  /// The option with which a process performs a scenario.
  static let option = "--perform"

  static func perform(_ name: String, units: Int) {
    guard let scenario = all.first(where: { $0.name == name }) else {
      preconditionFailure("There is no scenario \(name).")
    }
    // What Swift's library does when a type is used first differs from process to process.
    let first = scenario.perform(16)
    let held = performCounted(scenario, units)
    // What is alive now is what dhat reports as alive at the end.
    withExtendedLifetime((first, held)) { exit(0) }
  }

  static let all = [
    event("event-1-closure", to: 1) { $0.observe($1) },
    event("event-100-closures", to: 100) { $0.observe($1) },
    event("event-100-sinks", to: 100) { bus, tally in bus.events.sink { _ in tally.add() } },
    recordedEvent, suppressedInput, gatedValue,
    subscription("subscribe-token") { $0.observe($1) },
    subscription("subscribe-sink") { bus, tally in bus.events.sink { _ in tally.add() } },
    live("live-token") { $0.observe($1) },
    live("live-sink") { bus, tally in bus.events.sink { _ in tally.add() } },
    startedCountdown, tick,
  ]

  private typealias Observe =
    @Sendable (LifecycleBus, Tally) -> any Cancellable

  /// An event that is delivered.
  private static func event(
    _ name: String,
    to observers: Int,
    _ observe: @escaping Observe
  ) -> Scenario {
    Scenario(name, units: 500, [.instructions, .allocations]) { count in
      let bus = LifecycleBus.active()
      let tally = Tally()
      let tokens = (0..<observers).map { _ in observe(bus, tally) }
      for _ in 0..<count { bus.send(.didReceiveMemoryWarning, at: .fixed) }
      tally.expect(count * observers)
      return (bus, tokens)
    }
  }

  private static let recordedEvent = Scenario(
    "event-1-closure-recorded",
    units: 500,
    [.instructions, .allocations]
  ) { count in
    let bus = LifecycleBus.active()
    let tally = Tally()
    // It drops a record for each that it makes.
    let recorder = FlightRecorder(of: bus, capacity: 100)
    let token = bus.observe(tally)
    for _ in 0..<count { bus.send(.didReceiveMemoryWarning, at: .fixed) }
    tally.expect(count)
    return (bus, recorder, token)
  }

  private static let suppressedInput = Scenario(
    "suppressed-input-100-closures",
    units: 500,
    [.instructions, .allocations]
  ) { count in
    let bus = LifecycleBus.active()
    let tally = Tally()
    let tokens = (0..<100).map { _ in bus.observe(tally) }
    for _ in 0..<count { bus.send(.didBecomeActive, at: .fixed) }
    tally.expect(0)
    return (bus, tokens)
  }

  private static let gatedValue = Scenario(
    "value-through-gate",
    units: 500,
    [.instructions, .allocations]
  ) { count in
    let bus = LifecycleBus.active()
    let subject = PassthroughSubject<Int, Never>()
    let tally = Tally()
    let token = subject.gate(.atLeast(.active), of: bus, buffering: .drop).sink { _ in tally.add() }
    for _ in 0..<count { subject.send(1) }
    tally.expect(count)
    return (bus, token)
  }

  /// A subscription and its cancellation, beside 100 others.
  private static func subscription(
    _ name: String,
    _ observe: @escaping Observe
  ) -> Scenario {
    Scenario(name, units: 2_000, [.instructions, .allocations]) { count in
      let bus = LifecycleBus.active()
      let (others, cancelled) = (Tally(), Tally())
      let tokens = (0..<100).map { _ in observe(bus, others) }
      for _ in 0..<count { observe(bus, cancelled).cancel() }
      bus.send(.didReceiveMemoryWarning, at: .fixed)
      others.expect(100)
      cancelled.expect(0)
      return (bus, tokens)
    }
  }

  /// An observer that is held, with its closure and what holds it.
  private static func live(_ name: String, _ observe: @escaping Observe) -> Scenario {
    // A power of two: arrays are full in both runs, and count as one slot an observer.
    let units = 8_192
    return Scenario(name, units: units, [.bytes]) { count in
      let bus = LifecycleBus.active()
      let tally = Tally()
      var tokens: [any Cancellable] = []
      // What the caller needs is the same in both runs.
      tokens.reserveCapacity(2 * units)
      for _ in 0..<count { tokens.append(observe(bus, tally)) }
      bus.send(.didReceiveMemoryWarning, at: .fixed)
      tally.expect(count)
      return (bus, tokens)
    }
  }

  // Countdowns run on a clock without a thread: whether that of a real one has begun is up to the
  // system, and it allocates.

  /// A countdown that is started and reset beside 100 others.
  private static let startedCountdown = Scenario(
    "start-countdown",
    units: 2_000,
    [.instructions, .allocations]
  ) { count in
    let bus = LifecycleBus(clock: SteppedLifecycleClock())
    let others = (1...100).map { running(.seconds(1_000_000 + $0), on: bus) }
    for _ in 0..<count {
      let countdown = running(.seconds(2_000_000), on: bus)
      countdown.reset()
      precondition(countdown.state.status == .idle)
    }
    return (bus, others)
  }

  /// A tick for a subscriber of one of 100 countdowns, and what it takes to come to the next.
  private static let tick = Scenario("tick", units: 500, [.instructions, .allocations]) { count in
    let clock = SteppedLifecycleClock()
    let bus = LifecycleBus(clock: clock)
    let others = (1...99).map { running(.seconds(1_000_000 + $0), on: bus, tickInterval: nil) }
    let tally = Tally()
    let countdown = Countdown(.seconds(1_000_000), of: bus)
    let token = countdown.states.dropFirst().sink { _ in tally.add() }
    countdown.start()
    for _ in 1..<count { clock.step() }
    tally.expect(count)
    return (bus, others, countdown, token)
  }

  private static func running(
    _ duration: Duration,
    on bus: LifecycleBus,
    tickInterval: Duration? = .seconds(1)
  ) -> Countdown {
    let countdown = Countdown(duration, of: bus, tickInterval: tickInterval)
    countdown.start()
    return countdown
  }
}

/// Callgrind counts what happens in this function alone.
@inline(never)
private func performCounted(_ scenario: Scenario, _ count: Int) -> Any { scenario.perform(count) }

/// Counts calls.
private final class Tally: Sendable {
  private let calls = Atomic(0)

  func add() { calls.add(1, ordering: .relaxed) }

  func expect(_ expected: Int) {
    let calls = calls.load(ordering: .relaxed)
    precondition(calls == expected, "\(calls) calls instead of \(expected)")
  }
}

extension LifecycleBus {
  fileprivate static func active() -> LifecycleBus {
    let bus = LifecycleBus()
    bus.send(.didBecomeActive, at: .fixed)
    return bus
  }

  fileprivate func observe(_ tally: Tally) -> any Cancellable {
    addObserver { _ in tally.add() }
  }
}

extension LifecycleInstant {
  /// Spares the reading of clocks, which is no part of a delivery.
  fileprivate static let fixed = LifecycleInstant(
    continuous: .boot,
    timeAwake: .zero,
    timeSince1970: .zero
  )
}
