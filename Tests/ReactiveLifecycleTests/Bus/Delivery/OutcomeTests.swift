import CustomDump
import ReactiveLifecycle
import Testing

@Suite("Outcomes and reasons")
struct OutcomeTests {
  @Test("What was sent is delivered, queued or suppressed, with the reason")
  func sendOutcomes() {
    let outcomes: [LifecycleSendResult] = [.delivered, .queued, .suppressed(.duplicate)]
    expectNoDifference(
      outcomes.map(\.description),
      ["delivered", "queued", "suppressed (duplicate)"]
    )
    expectNoDifference(outcomes.map(\.suppressionReason), [nil, nil, .duplicate])
  }

  @Test("Reasons are stored by their names")
  func reasonsAreStoredByTheirNames() {
    expectNoDifference(
      SuppressedInput.Reason.allCases.map(\.rawValue),
      ["duplicate", "masked", "terminated", "disconnected"]
    )
  }
}
