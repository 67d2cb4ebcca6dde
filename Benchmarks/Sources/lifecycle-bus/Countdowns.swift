import BenchmarkSupport
import LifecycleCombine
import LifecycleCore
import LifecycleCountdowns
import SteppedClock

/// Countdowns started, reset, ticking.
func addCountdownRows(to program: PeerProgram) {
  program.addStartingCountdowns("countdown", prepare: RunningCountdowns.init) { running in
    let countdown = Countdown(.seconds(50_000), of: running.bus)
    countdown.start()
    countdown.reset()
  } check: { running in
    try running.check()
  }
  addTickRows("countdown", beside: 0, to: program)
  addTickRows("countdown-beside-100000", beside: 100_000, to: program)
}

private struct RunningCountdowns {
  let bus: LifecycleBus
  let countdowns: [Countdown]

  init(_ count: Int) {
    self.init(count, clock: .system)
  }

  /// Countdowns with an end each, of which none comes.
  init(_ count: Int, clock: any LifecycleClock) {
    let bus = LifecycleBus(clock: clock)
    bus.send(.didBecomeActive)
    self.bus = bus
    countdowns = (0..<count).map { index in
      let countdown = Countdown(.seconds(1_000_000_000 + index), of: bus, tickInterval: nil)
      countdown.start()
      return countdown
    }
  }

  func check() throws {
    let ended = countdowns.count { $0.state.status != .running }
    if ended > 0 { throw CountdownsEnded(count: ended) }
  }
}

private func addTickRows(_ form: String, beside others: Int, to program: PeerProgram) {
  for count in BenchmarkOperation.tick.sizes {
    program.add(form, .tick, size: count, operations: max(1, 100 / count)) {
      let clock = SteppedLifecycleClock()
      let running = RunningCountdowns(others, clock: clock)
      let calls = CallCounts(observers: count)
      let ticking = calls.all.map { slot in
        let countdown = Countdown(.seconds(500_000_000), of: running.bus)
        countdown.start()
        return (countdown, countdown.states.sink { _ in slot.increment() })
      }
      return Fixture(keeping: (running, ticking)) { count in
        for _ in 0..<count { clock.step() }
      } check: { operations in
        // Once when it subscribed.
        try calls.check(expected: 1 + operations)
        try running.check()
      }
    }
  }
}
