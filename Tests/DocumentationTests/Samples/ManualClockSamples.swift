import LifecycleTesting
import ReactiveLifecycle

@MainActor
func manualClockSample() -> BackgroundStay? {
  let clock = ManualClock()
  let bus = LifecycleBus(clock: clock)
  bus.send(.didEnterBackground)
  clock.advance(by: .seconds(30))
  clock.sleepDevice(for: .seconds(60))
  bus.send(.didBecomeActive)  // a stay of 90 s, 60 s of them asleep
  return observedStay(bus, clock)
}

/// The stay of one more round, which the sample itself has no observer for.
@MainActor
private func observedStay(_ bus: LifecycleBus, _ clock: ManualClock) -> BackgroundStay? {
  var observed: BackgroundStay?
  let scope = LifecycleScope()
  bus.addObserver(in: scope) { _, stay in observed = stay }
  bus.send(.didEnterBackground)
  clock.advance(by: .seconds(30))
  clock.sleepDevice(for: .seconds(60))
  bus.send(.didBecomeActive)
  return observed
}
