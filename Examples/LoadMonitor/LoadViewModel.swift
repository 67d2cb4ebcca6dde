import LifecycleCombine
import ReactiveLifecycle

/// The load as a screen shows it. The sensor runs exactly while the screen is shown and the process
/// is in the foreground; no code here starts or stops it.
@MainActor
final class LoadViewModel {
  private(set) var load: Double?

  private let onReading: (Double) -> Void
  private let scope = LifecycleScope("load")

  /// - Parameters:
  ///   - readings: The readings of a sensor that is on for as long as it has a subscriber.
  ///   - bus: The bus whose phase determines when the sensor is on.
  ///   - onReading: Called with each reading.
  init(
    _ readings: some Publisher<Double, Never>,
    bus: LifecycleBus,
    onReading: @escaping (Double) -> Void
  ) {
    self.onReading = onReading
    readings
      .whilePhase(.foreground, of: bus)
      .sink { [weak self] load in self?.show(load) }
      .store(in: scope)
  }

  private func show(_ load: Double) {
    self.load = load
    onReading(load)
  }
}
