import LifecycleCombine
import Observation
import ReactiveLifecycle

/// A sensor that is on only while the user can see the app. An alert of the system doesn't switch
/// it off.
@MainActor
@Observable
final class SensorModel {
  private(set) var readings: [Double] = []
  private let scope = LifecycleScope("sensor")

  init(bus: LifecycleBus, readings: some Publisher<Double, Never>) {
    readings
      .whilePhase(.foreground, of: bus)
      .sink { [weak self] in self?.readings.append($0) }
      .store(in: scope)
  }
}
