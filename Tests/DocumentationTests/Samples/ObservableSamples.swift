import Observation
import ReactiveLifecycle

/// A screen that is drawn anew when the lifecycle has changed.
@MainActor
final class ScreenSample {
  private(set) var shown: [String] = []
  private(set) var needsUpdate = false

  func appear(_ bus: LifecycleBus) -> ObservableLifecycle {
    let lifecycle = ObservableLifecycle(bus)
    withObservationTracking {
      show(lifecycle.isForeground ? "in sight" : "out of sight")
    } onChange: {
      setNeedsUpdate()
    }
    return lifecycle
    @Sendable func setNeedsUpdate() { MainActor.assumeIsolated { needsUpdate = true } }
  }

  func read(_ bus: LifecycleBus) -> ObservableLifecycle {
    show(bus.observableState.isForeground ? "in sight" : "out of sight")
    return bus.observableState
  }

  private func show(_ text: String) { shown.append(text) }
}
