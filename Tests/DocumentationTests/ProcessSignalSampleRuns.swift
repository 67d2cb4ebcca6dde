import CustomDump
import LifecycleSources
import ReactiveLifecycle
import Testing

@Suite("Documentation samples of the process's signals run")
struct ProcessSignalSampleRuns {
  @Test("Connecting reports the phase that the process is in")
  @MainActor
  func connectingReportsPhaseOfProcess() throws {
    let phases: [LifecyclePhase] = [.active, .background]
    #expect(phases.contains(try processSignalsSample()))
    #expect(phases.contains(try observedProcessSignalsSample()))
  }

  @Test("Chosen signals are named, and the others are not taken")
  func chosenSignals() {
    expectNoDifference(chosenSignalsSample().description, "[SIGTERM, SIGINT, SIGHUP]")
    #expect(!chosenSignalsSample().contains(.jobControl))
    _ = chosenSignalsSourceSample()
  }

  @Test("A server reloads when it is asked to")
  func serverReloads() throws {
    let server = ServerSample()
    try reloadSample(server)
    expectNoDifference(server.output, ["reloaded"])
  }

  @Test("An editor may call the end off")
  func editorIsAsked() async throws {
    #expect(try await askingSample(EditorSample(mayClose: false)))
    #expect(try await !askingSample(EditorSample(mayClose: true)))
  }

  @Test("Waiting returns if no signal ends the process")
  func waitingReturns() async {
    let bus = NonisolatedLifecycleBus()
    let task = Task { await waitForEndSample(bus) { _ in } }
    bus.send(.willTerminate)
    await task.value
  }

  @Test("A server flushes when a signal ends it")
  func serverFlushesWhenSignalEndsIt() throws {
    let server = ServerSample()
    try server.end()
    expectNoDifference(server.output, ["ends by SIGTERM", "flushed"])
  }
}
