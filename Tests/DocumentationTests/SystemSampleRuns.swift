import LifecycleSystem
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of the sources of the system run")
@MainActor
struct SystemSampleRuns {
  @Test("Each source connects, and the events that it would send reach the observers")
  func sources() throws {
    let samples = SystemSamples()
    samples.reasonOfUnavailability()
    try samples.observeClock()
    try samples.observePauses()
    try samples.connectPauses().cancel()
    try samples.observeMemory()
    samples.bus.send(.systemDidWake)
    samples.bus.send(.processWasPaused)
    samples.bus.send(.didReceiveMemoryWarning, metadata: ["memoryPressure": "low"])
    #expect(!samples.cache.entries.isEmpty)
    samples.bus.send(.didReceiveMemoryWarning, metadata: ["memoryPressure": "critical"])
    #expect(samples.cache.entries.isEmpty)
    samples.scope.end()
  }

  @Test("The sources of the system are connected and listed")
  func connectSystem() throws {
    let scope = LifecycleScope("system")
    try connectSystemSample(scope)
    scope.end()
  }
}
