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
    bus.onReturn(in: scope) { [weak self] stay in
      self?.refreshes += 1
    }
    self.scope = scope
  }

  func viewWillDisappear() {
    scope?.end()
  }
}
