import CustomDump
import Foundation
import JobControl
import TestSupport
import Testing

extension ProcessTests {
  @Suite("Closed standard streams", .serialized)
  struct ClosedStreamTests {
    @Test(
      """
      Nothing that the libraries open lies where the standard streams were, and what is written \
      there loses no signal
      """
    )
    func descriptors() async throws {
      try await withProbeSession { session in
        let folder = TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let job = try session.launchProbeCommand(["closed-streams", folder.path])
        let lines = try job.waitUntilOutputEnds()
        let names = [
          "timer", "processSignals", "systemClock", "processPauses", "memoryPressure", "terminal",
          "journal",
          "recording",
        ]
        expectNoDifference(Array(lines), names.map { "\($0): nothing" } + ["willTerminate"])
        #expect(try job.waitUntilEnd() == .signaled(SIGTERM))
      }
    }
  }
}
