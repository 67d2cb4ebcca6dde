import Observation
import ReactiveLifecycle

@MainActor
@Observable
final class ObservableModel {
  private(set) var isActive = true
  private(set) var events = 0
  private(set) var names: [String] = []

  init(_ bus: LifecycleBus) {
    bus.addObserver(self) { model, event in
      model.isActive = event.phase == .active
      model.events += 1
    }
  }
}
