import LifecycleTesting
import OpenCombineShim
import ReactiveLifecycle
import Testing

@MainActor
final class ViewModel {
  var log: [String] = []
  let scope = LifecycleScope("vm")

  func appear(_ bus: LifecycleBus) {
    bus.addObserver(in: scope) { event, stay in self.log.append("\(event.kind) \(stay.duration)") }
    bus.addObserver(self) { model, event in model.log.append("\(event.kind) \(event.origin)") }
    bus.addObserver(for: [.didEnterBackground], in: scope, id: "x") { [weak self] event in
      self?.log.append("bg")
    }
    bus.addObserver(in: scope, capturing: { 5 }) { _, _, value in
      self.log.append("captured \(String(describing: value))")
    }
    bus.events.sink { self.log.append("sink \($0.kind)") }.store(in: scope)
  }
}

@MainActor
@Test func smoke() {
  let clock = ManualClock()
  let bus = LifecycleBus(clock: clock)
  let model = ViewModel()
  model.appear(bus)
  #expect(bus.send(.didBecomeActive) == .delivered)
  bus.send(.didEnterBackground)
  #expect(bus.send(.didEnterBackground) == .suppressed(.duplicate))
  clock.advance(by: .seconds(90))
  bus.send(.didBecomeActive)
  #expect(bus.liveSubscriptions.count == 5)
  model.scope.end()
  #expect(bus.liveSubscriptions.count == 1)
  print(model.log)
  print(bus.liveSubscriptions)
}
