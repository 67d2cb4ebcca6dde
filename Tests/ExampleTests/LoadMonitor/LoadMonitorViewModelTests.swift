import CustomDump
import Dispatch
import LifecycleSupport
import LifecycleTesting
import LoadMonitor
import ReactiveLifecycle
import Testing

@Suite("Load, the view model")
@MainActor
struct LoadMonitorViewModelTests {
  final class Switches: Sendable {
    private let state = Locked<[Bool]>([])
    var trace: [Bool] { state.withLock { $0 } }
    func note(_ isOn: Bool) { state.withLock { $0.append(isOn) } }
  }

  let bus = LifecycleBus(clock: ManualClock())
  let switches = Switches()

  func makeViewModel() -> LoadViewModel {
    let sensor = LoadSensor(every: .seconds(3600)) { [switches] in switches.note($0) }
    return LoadViewModel(sensor, bus: bus) { _ in }
  }

  @Test("The sensor runs exactly while the process is active, whatever the source repeats")
  func sensorRunsWhileActive() {
    let viewModel = makeViewModel()
    expectNoDifference(switches.trace, [])
    bus.send(.willEnterForeground)
    expectNoDifference(switches.trace, [])
    for _ in 0..<3 { bus.send(.didBecomeActive) }
    expectNoDifference(switches.trace, [true])
    bus.send(.willResignActive)
    expectNoDifference(switches.trace, [true, false])
    for _ in 0..<3 { bus.send(.didEnterBackground) }
    bus.send(.didReceiveMemoryWarning)
    expectNoDifference(switches.trace, [true, false])
    for _ in 0..<2 { bus.send(.didBecomeActive) }
    expectNoDifference(switches.trace, [true, false, true])
    bus.send(.willTerminate)
    expectNoDifference(switches.trace, [true, false, true, false])
    withExtendedLifetime(viewModel) {}
  }

  @Test("A screen that appears three times has one sensor, and none after it has gone")
  func screenThatAppearsThreeTimesHasOneSensor() {
    bus.send(.didBecomeActive)
    for _ in 0..<3 {
      let viewModel = makeViewModel()
      #expect(bus.liveSubscriptions.count == 1)
      withExtendedLifetime(viewModel) {}
    }
    expectNoDifference(switches.trace, [true, false, true, false, true, false])
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test("A view model released on another thread switches its sensor off, too")
  func releasedElsewhere() async {
    bus.send(.didBecomeActive)
    let viewModel = Locked<LoadViewModel?>(makeViewModel())
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        _ = viewModel.withLock { $0.take() }
        continuation.resume()
      }
    }
    expectNoDifference(switches.trace, [true, false])
  }
}
