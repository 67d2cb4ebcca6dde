import CustomDump
import ReactiveLifecycle
import Testing

@Suite("Outcomes and reasons")
struct OutcomeTests {
  @Test("What was sent is delivered, queued or suppressed, with the reason")
  func sendOutcomes() {
    let outcomes: [LifecycleSendOutcome] = [.delivered, .queued, .suppressed(.duplicate)]
    expectNoDifference(
      outcomes.map(\.description),
      ["delivered", "queued", "suppressed (duplicate)"]
    )
    expectNoDifference(outcomes.map(\.suppressionReason), [nil, nil, .duplicate])
  }

  @Test("What was waited for is finished, late or suppressed, with the observer or the reason")
  func deliveryOutcomes() {
    let observer = LifecycleObserverLocation(fileID: "App/Screen.swift", line: 12)
    let outcomes: [LifecycleDeliveryOutcome] = [
      .finished, .timedOut(running: nil), .timedOut(running: observer), .suppressed(.terminated),
    ]
    expectNoDifference(
      outcomes.map(\.description),
      ["finished", "timed out", "timed out (running: \(observer))", "suppressed (terminated)"]
    )
    expectNoDifference(outcomes.map(\.runningObserver), [nil, nil, observer, nil])
  }

  @Test("Reasons are stored by their names")
  func reasonsAreStoredByTheirNames() {
    expectNoDifference(
      SuppressedInput.Reason.allCases.map(\.rawValue),
      ["duplicate", "masked", "terminated", "disconnected"]
    )
  }
}
