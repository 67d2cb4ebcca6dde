import LifecycleTesting
import ReactiveLifecycle

let clock = ManualClock()
let bus = LifecycleBus(clock: clock)
let screen = LifecycleScope("screen")

bus.onReturn(in: screen) { stay in
  print("away \(stay.duration), asleep \(stay.timeAsleep)")
}

bus.send(.didBecomeActive)  // didFinishLaunching and willEnterForeground are filled in
bus.send(.didEnterBackground)  // so is willResignActive
bus.send(.didEnterBackground)  // a repetition: suppressed
clock.advance(by: .seconds(30))
clock.sleepDevice(for: .seconds(60))
bus.send(.didBecomeActive)

screen.end()
print("observers left: \(bus.liveSubscriptions.count)")
print("suppressed: \(bus.suppressedCount(.duplicate))")
