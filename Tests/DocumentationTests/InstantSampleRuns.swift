import CustomDump
import Testing

@Suite("Documentation samples: instants")
struct InstantSampleRuns {
  @Test("Instants are subtracted, scheduled for, and made from readings")
  func instantsAreSubtractedScheduledForAndMade() {
    expectNoDifference(instantSamples(), ["90.0 seconds", "five seconds", "90 s"])
  }
}
