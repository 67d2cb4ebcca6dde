import Observation
import ReactiveLifecycle

/// The events of the process, as lines of a screen.
@MainActor
@Observable
final class EventList {
  private(set) var lines: [String] = []
  private let scope = LifecycleScope("events")

  init(bus: LifecycleBus) {
    bus.addObserver(in: scope, catchUp: .path) { [weak self] event in
      self?.lines.append("\(event)")
    }
  }
}
