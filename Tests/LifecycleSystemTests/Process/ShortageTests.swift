import CustomDump
import TestSupport
import Testing

extension SystemProcessTests {
  @Suite("Short of descriptors", .serialized)
  struct ShortageTests {
    @Test(
      """
      A source that lacks descriptors is not connected, with the remedy; one that has enough opens \
      all that it uses; and of all sources together, none is connected if one lacks them
      """
    )
    func descriptors() async throws {
      try await withProbeSession { session in
        let attempts = try DescriptorAttempts.run(in: session)
        expectNoDifference(
          Set(attempts.keys),
          ["systemClock", "processPauses", "memoryPressure", "connectSystem"]
        )
        for (source, attempts) in attempts {
          #expect(!attempts.refusals.isEmpty, "\(source)")
          for refusal in attempts.refusals {
            let isRefusal = refusal.contains("Too many open files. Close file descriptors")
            #expect(isRefusal && !refusal.contains("in spite of"), "\(source): \(refusal)")
          }
          expectNoDifference(Set(attempts.opened).count, 1, "\(source) \(attempts.opened)")
          expectNoDifference(attempts.leftOpen, 0, "\(source)")
        }
      }
    }
  }
}
