import CustomDump
import Testing

@Suite("Documentation samples of the manual clock run")
struct ManualClockSampleRuns {
  @Test("Restarts, moves, tasks and operators go by the manual clock")
  func restartsAndMoves() async throws {
    let lines = try await manualClockMoveSamples()
    expectNoDifference(
      lines,
      [
        "manual-2", "35 s", "deadline", "1.0 seconds", "2.0 seconds", "3.0 seconds",
        "one second", "two seconds", "life",
      ]
    )
  }
}
