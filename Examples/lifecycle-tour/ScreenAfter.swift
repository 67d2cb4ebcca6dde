import LifecycleSources
import ReactiveLifecycle

/// The same screen on the bus.
@MainActor
final class ScreenAfter {
  let bus = LifecycleBus.application
  var scope: LifecycleScope?
  var refreshes = 0

  func viewWillAppear() {
    let scope = LifecycleScope("screen")
    bus.onReturn(in: scope) { [weak self] _ in
      self?.refreshes += 1
    }
    self.scope = scope
  }

  func viewWillDisappear() {
    scope?.end()
  }
}
