import CustomDump
import LifecycleCore
import Testing

@Suite("Outcomes of sending")
struct OutcomeTests {
  @Test("An outcome is described as delivered, queued, or suppressed with its reason")
  func sendOutcomes() {
    let outcomes: [LifecycleSendResult] = [.delivered, .queued, .suppressed(.duplicate)]
    expectNoDifference(
      outcomes.map(\.description),
      ["delivered", "queued", "suppressed (duplicate)"]
    )
    expectNoDifference(outcomes.map(\.suppressionReason), [nil, nil, .duplicate])
  }

  @Test("The raw value of a reason is its name")
  func reasonsAreStoredByTheirNames() {
    expectNoDifference(
      SuppressedInput.Reason.allCases.map(\.rawValue),
      ["duplicate", "masked", "terminated", "disconnected"]
    )
  }
}
