import EventCounts
import LifecycleCombine
import LifecycleCountdowns
import ReactiveLifecycle
import SteppedClock

// On a clock without a thread: whether the thread of a real one has begun is up to the system, and
// it allocates.

/// Starts and cancels beside 100 others.
func startCountdowns(_ count: Int) -> Performance {
  let bus = LifecycleBus(clock: SteppedLifecycleClock())
  let others = (1...100).map { started(seconds: 1_000_000 + $0, on: bus) }
  let tally = Tally()
  for _ in 0..<count {
    let countdown = started(seconds: 2_000_000, on: bus)
    countdown.cancel()
    tally.add(countdown.state.status == .idle ? 1 : 0)
  }
  return Performance(
    holding: (bus, others),
    .init("countdown", [tally], calls: count)
  )
}

/// Lets one of a hundred countdowns tick, each time for its subscriber.
func tick(_ count: Int) -> Performance {
  let clock = SteppedLifecycleClock()
  let bus = LifecycleBus(clock: clock)
  let others = (1...99).map { started(seconds: 1_000_000 + $0, on: bus, tickInterval: nil) }
  let tally = Tally()
  let countdown = Countdown(.seconds(1_000_000), of: bus)
  let cancellable = countdown.states.dropFirst().sink { _ in tally.add() }
  countdown.start()
  for _ in 1..<count { clock.step() }
  return Performance(
    holding: (bus, others, countdown, cancellable),
    .init("subscriber", [tally], calls: count)
  )
}

/// Keeps countdowns until the process exits.
func holdCountdowns(_ count: Int) -> Performance {
  let bus = LifecycleBus(clock: SteppedLifecycleClock())
  var countdowns: [Countdown] = []
  countdowns.reserveCapacity(max(count, 2 * Scenario.liveCountdown.count))
  for index in 0..<count { countdowns.append(started(seconds: 1_000_000 + index, on: bus)) }
  let tally = Tally()
  tally.add(countdowns.count { $0.state.status == .running })
  return Performance(
    holding: (bus, countdowns),
    .init("running countdowns", [tally], calls: count)
  )
}

private func started(
  seconds: Int,
  on bus: LifecycleBus,
  tickInterval: Duration? = .seconds(1)
) -> Countdown {
  let countdown = Countdown(.seconds(seconds), of: bus, tickInterval: tickInterval)
  countdown.start()
  return countdown
}
