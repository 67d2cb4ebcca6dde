import CustomDump
import Foundation
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// Sets that may grow are structures; they are compared, written and stored as enumerations are.
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
    expectNoDifference(String(customDumping: Optional(outcomes[2])), ".suppressed(.duplicate)")
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
    expectNoDifference(outcomes.map(\.isTimedOut), [false, true, true, false])
    expectNoDifference(outcomes.map(\.runningObserver), [nil, nil, observer, nil])
    expectNoDifference(outcomes.map(\.suppressionReason), [nil, nil, nil, .terminated])
    expectNoDifference(String(customDumping: Optional(outcomes[1])), ".timedOut(running: nil)")
  }

  @Test("Reasons are stored by their names, and unknown ones refused")
  func reasonsAreStoredByTheirNames() throws {
    let reasons = SuppressedInput.Reason.allCases
    let stored = try JSONEncoder().encode(reasons)
    expectNoDifference(
      String(decoding: stored, as: UTF8.self),
      #"["duplicate","masked","terminated","disconnected"]"#
    )
    expectNoDifference(
      try JSONDecoder().decode([SuppressedInput.Reason].self, from: stored),
      reasons
    )
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SuppressedInput.Reason].self, from: Data(#"["late"]"#.utf8))
    }
  }
}
