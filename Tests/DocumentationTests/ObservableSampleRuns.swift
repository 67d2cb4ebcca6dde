import CustomDump
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of the observable lifecycle run")
@MainActor
struct ObservableSampleRuns {
  @Test("A screen is drawn anew when the lifecycle changes")
  func screenIsDrawnAnewWhenLifecycleChanges() {
    let bus = LifecycleBus()
    let sample = ScreenSample()
    let lifecycle = sample.appear(bus)
    expectNoDifference(sample.shown, ["out of sight"])
    #expect(!sample.needsUpdate)
    bus.send(.didBecomeActive)
    #expect(sample.needsUpdate)
    #expect(lifecycle.isForeground)
  }

  @Test("A bus has one object for all who read it")
  func objectOfABus() {
    let bus = LifecycleBus()
    let sample = ScreenSample()
    let lifecycle = sample.read(bus)
    bus.send(.didBecomeActive)
    expectNoDifference(sample.read(bus) === lifecycle, true)
    expectNoDifference(sample.shown, ["out of sight", "in sight"])
  }
}
