import LifecycleCombine
package import ReactiveLifecycle

/// The load as a screen shows it. The sensor runs exactly while the screen is shown and the process
/// is in the foreground; no code here starts or stops it.
@MainActor
package final class LoadViewModel {
  package private(set) var load: Double?

  private let onReading: (Double) -> Void
  private let scope = LifecycleScope("load")

  package init(_ sensor: LoadSensor, bus: LifecycleBus, onReading: @escaping (Double) -> Void) {
    self.onReading = onReading
    sensor.readings
      .whilePhase(.foreground, of: bus)
      .sink { [weak self] load in self?.show(load) }
      .store(in: scope)
  }

  private func show(_ load: Double) {
    self.load = load
    onReading(load)
  }
}
