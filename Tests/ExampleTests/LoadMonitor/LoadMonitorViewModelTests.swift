import CustomDump
import Dispatch
import LifecycleSupport
import LifecycleTesting
import ReactiveLifecycle
import Testing

@testable import LoadMonitor

@Suite("Load, the view model")
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

  @Test("The sensor runs exactly in the foreground, whatever the source repeats")
  func sensorRunsInForeground() {
    let viewModel = makeViewModel()
    lifecycle.perform(
      .launch,
      .send(.willEnterForeground),
      .becomeActive,
      .duplicate(.didBecomeActive),
      .resignActive,
      .enterBackground,
      .duplicate(.didEnterBackground),
      .memoryWarning,
      .enterForeground,
      .becomeActive,
      .duplicate(.didBecomeActive),
      .terminate
    )
    expectLifecycle(
      lifecycle,
      matches: """
        launch
          [0 s background] didFinishLaunching
        send(willEnterForeground)
          [0 s inactive] willEnterForeground
          [0 s inactive] sensor: true
        becomeActive
          [0 s active] didBecomeActive
        duplicate(didBecomeActive)
          [0 s active] didBecomeActive suppressed: duplicate
        resignActive
          [0 s inactive] willResignActive
        enterBackground
          [0 s background] didEnterBackground
          [0 s background] sensor: false
        duplicate(didEnterBackground)
          [0 s background] didEnterBackground suppressed: duplicate
        memoryWarning
          [0 s background] didReceiveMemoryWarning
        enterForeground
          [0 s inactive] willEnterForeground (away 0 s)
          [0 s inactive] sensor: true
        becomeActive
          [0 s active] didBecomeActive
        duplicate(didBecomeActive)
          [0 s active] didBecomeActive suppressed: duplicate
        terminate
          [0 s inactive] willResignActive (synthesized)
          [0 s background] didEnterBackground (synthesized)
          [0 s background] sensor: false
          [0 s terminated] willTerminate
        """
    )
    withExtendedLifetime(viewModel) {}
  }

  @Test("A screen that appears three times has one sensor, and none after it has gone")
  func screenThatAppearsThreeTimesHasOneSensor() {
    lifecycle.perform(.launch, .becomeActive)
    for _ in 0..<3 {
      let viewModel = makeViewModel()
      expectNoDifference(bus.diagnostics.liveSubscriptions.count, 1)
      withExtendedLifetime(viewModel) {}
    }
    expectNoDifference(switches.elements, [true, false, true, false, true, false])
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test("A view model released on another thread switches its sensor off, too")
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
