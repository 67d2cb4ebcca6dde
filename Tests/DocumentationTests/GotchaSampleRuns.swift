import CustomDump
import LifecycleTesting
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of the gotchas run")
@MainActor
struct GotchaSampleRuns {
  @Test("A weak sink prints, and keeps no model alive")
  func weakSink() {
    var samples: GotchaSamples? = GotchaSamples()
    let bus = samples!.bus
    samples?.weakSink()
    bus.send(.didFinishLaunching)
    expectNoDifference(samples?.output, ["unknown", "background"])
    expectReleased(&samples, of: bus)
  }

  @Test("Waiting for the background after the launch")
  func onceLaunched() async throws {
    let samples = GotchaSamples()
    let task = Task { try await samples.onceLaunched() }
    await Task { @MainActor in }.value
    samples.bus.send(.didBecomeActive)
    samples.bus.send(.didEnterBackground)
    try await task.value
    expectNoDifference(samples.output, ["background"])
  }

  @Test("The first opening and the returns")
  func everyOpening() {
    let samples = GotchaSamples()
    samples.everyOpening()
    for kind in [LifecycleEvent.Kind.didBecomeActive, .didEnterBackground, .didBecomeActive] {
      samples.bus.send(kind)
    }
    expectNoDifference(samples.output, ["opened", "reloaded"])
  }

  @Test("Asynchronous work on a return")
  func asyncWork() async {
    let samples = GotchaSamples()
    samples.asyncWork()
    for kind in [LifecycleEvent.Kind.didBecomeActive, .didEnterBackground, .didBecomeActive] {
      samples.bus.send(kind)
    }
    for await _ in samples.downloads.stream { break }
    expectNoDifference(samples.output, ["downloaded"])
  }
}
