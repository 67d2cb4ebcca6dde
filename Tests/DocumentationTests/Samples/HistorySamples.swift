import LifecycleTesting
import ReactiveLifecycle

/// The samples about history and time. What they print is collected.
@MainActor
final class HistorySamples {
  private(set) var output: [String] = []
  let clock = ManualClock()
  let bus: LifecycleBus

  init() {
    bus = LifecycleBus(clock: clock)
  }

  private func print(_ value: Any) { output.append("\(value)") }

  func phases() {
    let left = clock.continuous
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(60))
    bus.send(.didBecomeActive)
    print(bus.phase(at: left + .seconds(59))!)  // background
    print(bus.phase(at: left + .seconds(60))!)  // active
  }

  func foreground() {
    let now = clock.continuous
    if let used = bus.foregroundDuration(during: now - .seconds(600)..<now) {
      print("in use for \(used) of the last ten minutes")
    }
  }

  func background() {
    if let start = bus.historyStart {
      print("away for \(bus.backgroundDuration(during: start..<clock.continuous)!) in all")
    }
  }

  func stays(in scope: LifecycleScope) {
    bus.onReturn(in: scope) { stay in
      if stay.duration > .seconds(300) { refresh() }
      if abs(stay.wallClockShift / .seconds(1)) > 30 { reload("the clock was set") }
    }
    func refresh() { print("refreshed") }
    func reload(_ reason: String) { print("reloaded: \(reason)") }
  }

  /// The sample has no observer, so its bus is asked afterwards.
  func manualClock() {
    let clock = ManualClock()
    let bus = LifecycleBus(clock: clock)
    bus.send(.didEnterBackground)
    clock.advance(by: .seconds(30))
    clock.sleepDevice(for: .seconds(60))
    clock.stopProcess(for: .seconds(10))
    clock.setWallClock(by: .seconds(-3600))
    bus.send(.didBecomeActive)  // a stay of 100 s, 60 s of them asleep, the clock an hour back
    print("\(bus.backgroundDuration(during: bus.historyStart!..<clock.continuous)!) away")
    print(clock.now.timeAwake - ManualClock().now.timeAwake)
    print(clock.now.timeSince1970 - ManualClock().now.timeSince1970)
  }
}
