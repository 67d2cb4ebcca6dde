import CustomDump
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

  @Test("A server flushes when a signal ends it")
  func serverFlushesWhenSignalEndsIt() throws {
    let server = ServerSample()
    try server.end()
    expectNoDifference(server.output, ["ends by SIGTERM", "flushed"])
  }
}
