import CustomDump
import LifecycleCombine
import LifecycleCountdowns
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

@Suite("Countdown: the timer of all countdowns of a bus")
@MainActor
struct CountdownTimerTests {
  /// A clock that traces when timers are set, and when they fire.
  private struct TracedClock: LifecycleClock {
    let clock = ManualClock()
    let trace = Trace()

    var now: LifecycleInstant { clock.now }

    func schedule(
      at deadline: ContinuousInstant,
      _ body: @escaping @Sendable () -> Void
    ) -> LifecycleCancellable {
      let elapsed = clock.elapsed + clock.continuous.duration(to: deadline)
      trace("set for \(elapsed / .seconds(1))")
      return clock.schedule(at: deadline) { [clock, trace] in
        trace("fires at \(clock.elapsed / .seconds(1))")
        body()
      }
    }
  }

  @Test(
    "If the next countdown is cancelled, its timer still fires, unless a subscriber is to be told",
    arguments: BusKind.allCases,
    [false, true]
  )
  func timerOfCancelledCountdown(_ kind: BusKind, hasSubscriber: Bool) {
    let clock = TracedClock()
    let trace = clock.trace
    let bus = kind.make(clock: clock)
    bus.send(.didBecomeActive)
    let next = Countdown(.seconds(5), of: bus, tickInterval: nil)
    let other = Countdown(.seconds(9), of: bus, tickInterval: nil)
    var sinks = [other.states.dropFirst().sink { trace("other \($0.status)") }]
    if hasSubscriber { sinks.append(next.states.dropFirst().sink { trace("next \($0.status)") }) }
    next.start()
    other.start()
    _ = trace.take()
    next.cancel()
    expectNoDifference(trace.take(), hasSubscriber ? ["next idle", "set for 9.0"] : [])
    clock.clock.advance(by: .seconds(8))
    expectNoDifference(trace.take(), hasSubscriber ? [] : ["fires at 5.0", "set for 9.0"])
    clock.clock.advance(by: .seconds(1))
    expectNoDifference(trace.take(), ["fires at 9.0", "other finished"])
    withExtendedLifetime(sinks) {}
  }
}
