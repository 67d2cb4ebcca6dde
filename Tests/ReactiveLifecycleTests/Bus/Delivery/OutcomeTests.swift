import CustomDump
import Foundation
import LifecycleBackgroundWork
import LifecycleTesting
import ReactiveLifecycle
import Testing

/// Sets that may grow are structures; they are compared, written and stored as enumerations are.
@Suite("Outcomes and reasons")
struct OutcomeTests {
  @Test("What was sent is delivered, queued or suppressed, with the reason")
  func sendOutcomes() {
    let outcomes: [LifecycleSendOutcome] = [.delivered, .queued, .suppressed(.duplicate)]
    expectNoDifference(Set(outcomes).count, 3)
    expectNoDifference(
      outcomes.map(\.description),
      ["delivered", "queued", "suppressed (duplicate)"]
    )
    expectNoDifference(outcomes.map(\.suppressionReason), [nil, nil, .duplicate])
    expectNoDifference(
      String(customDumping: outcomes),
      "[\n  [0]: .delivered,\n  [1]: .queued,\n  [2]: .suppressed(.duplicate)\n]"
    )
  }

  @Test("What was waited for is finished, late or suppressed, with the observer or the reason")
  func deliveryOutcomes() {
    let observer = LifecycleObserverLocation(fileID: "App/Screen.swift", line: 12)
    let outcomes: [LifecycleDeliveryOutcome] = [
      .finished, .timedOut(running: nil), .timedOut(running: observer), .suppressed(.terminated),
    ]
    expectNoDifference(Set(outcomes).count, 4)
    expectNoDifference(
      outcomes.map(\.description),
      ["finished", "timed out", "timed out (running: \(observer))", "suppressed (terminated)"]
    )
    expectNoDifference(outcomes.map(\.isTimedOut), [false, true, true, false])
    expectNoDifference(outcomes.map(\.runningObserver), [nil, nil, observer, nil])
    expectNoDifference(outcomes.map(\.suppressionReason), [nil, nil, nil, .terminated])
    expectNoDifference(
      outcomes.prefix(2).map { String(customDumping: Optional($0)) },
      [".finished", ".timedOut(running: nil)"]
    )
  }

  @Test("Reasons are stored by their names, and unknown ones refused")
  func reasonsAreStoredByTheirNames() throws {
    let reasons = SuppressedInput.Reason.allCases
    expectNoDifference(reasons, [.duplicate, .masked, .terminated, .disconnected])
    let names = reasons.map(\.rawValue)
    expectNoDifference(names, ["duplicate", "masked", "terminated", "disconnected"])
    expectNoDifference(names.map(SuppressedInput.Reason.init), reasons)
    let stored = try JSONEncoder().encode(reasons)
    expectNoDifference(
      String(decoding: stored, as: UTF8.self),
      #"["duplicate","masked","terminated","disconnected"]"#
    )
    expectNoDifference(
      try JSONDecoder().decode([SuppressedInput.Reason].self, from: stored),
      reasons
    )
    expectNoDifference(SuppressedInput.Reason(rawValue: "late"), nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([SuppressedInput.Reason].self, from: Data(#"["late"]"#.utf8))
    }
  }

  @Test("Errors of fetches can be matched")
  func fetchErrors() {
    let errors: [any Error] = [
      BackgroundFetchError.deadlineMissed, BackgroundFetchError.neverAnswered,
      BackgroundFetchError.ended, CancellationError(),
    ]
    let numbers = errors.map { error in
      switch error {
      case BackgroundFetchError.deadlineMissed: 0
      case BackgroundFetchError.neverAnswered: 1
      case BackgroundFetchError.ended: 2
      default: 3
      }
    }
    expectNoDifference(numbers, [0, 1, 2, 3])
    #expect(throws: BackgroundFetchError.ended) { throw errors[2] }
    expectNoDifference("\(errors[0])", "no answer by the deadline")
  }

  @Test("What a late observer is told has a name")
  func namesOfCatchUps() {
    expectNoDifference(
      LifecycleCatchUp.allCases.map { "\($0)" },
      ["nothing", "currentPhase", "path"]
    )
    expectNoDifference(LifecycleCatchUp.allCases, [.nothing, .currentPhase, .path])
    #expect(Mirror(reflecting: LifecycleCatchUp.path).children.isEmpty)
  }
}
