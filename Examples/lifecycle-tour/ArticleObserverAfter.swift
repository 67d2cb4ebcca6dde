import ReactiveLifecycle

/// The same screen on the bus.
@MainActor
final class ScreenAfter {
  let bus: LifecycleBus
  var scope: LifecycleScope?
  var refreshes = 0

  init(bus: LifecycleBus) {
    self.bus = bus
  }

  func viewWillAppear() {
    let scope = LifecycleScope("screen")
    bus.addObserver(in: scope) { [weak self] event, stay in
      self?.refreshes += 1
    }
    self.scope = scope
  }

  func viewWillDisappear() {
    scope?.end()
  }
}
