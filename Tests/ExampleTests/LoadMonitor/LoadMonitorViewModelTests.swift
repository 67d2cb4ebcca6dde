import CustomDump
import Dispatch
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import LoadMonitor

@Suite("Load view model")
@MainActor
struct LoadMonitorViewModelTests {
  private let lifecycle = ScriptedLifecycle()
  private let switches: LifecycleRecorder<Bool, Never>
  private var bus: LifecycleBus { lifecycle.bus }

  init() {
    switches = lifecycle.recorder(of: Bool.self, as: "sensor")
  }

  private func makeViewModel() -> LoadViewModel {
    let sensor = LoadSensor(every: .seconds(3600)) { [switches] in switches.record($0) }
    return LoadViewModel(sensor.readings, bus: bus) { _ in }
  }

  @Test("The sensor is on in the foreground alone, switched once each way")
  func sensorRunsInForeground() {
    let viewModel = makeViewModel()
    lifecycle.perform(.launch)
    expectNoDifference(switches.elements, [])
    lifecycle.perform(.becomeActive, .duplicate(.didBecomeActive), .resignActive)
    expectNoDifference(switches.elements, [true])
    lifecycle.perform(.enterBackground, .duplicate(.didEnterBackground), .memoryWarning)
    expectNoDifference(switches.elements, [true, false])
    lifecycle.perform(.becomeActive, .terminate)
    expectNoDifference(switches.elements, [true, false, true, false])
    withExtendedLifetime(viewModel) {}
  }

  @Test("A view model that is released on another thread switches its sensor off")
  func releasedElsewhere() async {
    await lifecycle.perform(.launch, .becomeActive)
    let viewModel = Locked<LoadViewModel?>(makeViewModel())
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        _ = viewModel.withLock { $0.take() }
        continuation.resume()
      }
    }
    expectNoDifference(switches.elements, [true, false])
  }
}
