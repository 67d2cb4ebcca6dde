import CustomDump
import IssueReporting
import LifecycleCombine
import LifecycleCore
import LifecycleTesting
import TestSupport
import Testing

/// Conditions that every phase meets are mistakes: most of all "wait for the end", written as
/// `waitUntil(.atLeast(.terminated))`.
@Suite("Conditions that are always met")
@MainActor
struct AlwaysMetConditionTests {
  private let issues = IssueRecorder()
  private let bus = LifecycleBus(clock: ManualClock())

  /// Expects that one issue was reported.
  private func expect(
    _ start: String,
    line: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let issues = issues.take()
    // A difference that CustomDump finds would be one of the issues.
    #expect(issues.map(\.line) == [line], sourceLocation: sourceLocation)
    #expect(issues.allSatisfy { $0.message.hasPrefix(start) }, sourceLocation: sourceLocation)
  }

  nonisolated private static let reason =
    "because every phase is at least terminated. To act at the end of the process, "

  @Test(
    "waitUntil returns at once for a condition that is always met, and reports the caller's line",
    arguments: [
      (.atLeast(.terminated), "\(Self.reason)use waitUntil(.atMost(.terminated))"),
      (.atLeast(.unknown), "because every phase before the end is at least unknown. Choose "),
      (.atMost(.active), "because every phase is at most active. Choose inactive or a lower "),
    ] as [(LifecyclePhase.Condition, String)]
  )
  func waitUntilReturnsAtOnce(_ condition: LifecyclePhase.Condition, _ reason: String) async throws
  {
    try await withIssueReporters([issues]) { try await bus.waitUntil(condition, line: 17) }
    expect("waitUntil does not wait, \(reason)", line: 17)
    #expect(bus.diagnostics.liveSubscriptions.isEmpty)
  }

  @Test(
    "A body that repeatWhile never ends, or cancels at once, is reported at the caller's line",
    arguments: [
      (.atLeast(.terminated), " runs its body until the bus ends, \(Self.reason)observe"),
      (.atMost(.terminated), "(.atMost(.terminated)) cancels its body at once, because the "),
    ] as [(LifecyclePhase.Condition, String)]
  )
  func repeatWhile(_ condition: LifecyclePhase.Condition, _ message: String) async throws {
    let task = withIssueReporters([issues]) {
      Task {
        try await bus.repeatWhile(condition, line: 17) { try await Task.sleep(for: .seconds(3600)) }
      }
    }
    await mainQueueToDrain()
    bus.send(.willTerminate)
    try await task.value
    expect("repeatWhile\(message)", line: 17)
  }

  @Test("Operators and scopes report a condition that is always met, at the caller's line")
  func operatorsAndScopes() {
    withIssueReporters([issues]) {
      let numbers = [1, 2].publisher
      var received: [Int] = []
      let gate = numbers.gate(.atLeast(.terminated), of: bus, buffering: .drop, line: 11)
      expect("The gate never closes, \(Self.reason)observe willTerminate.", line: 11)
      gate.sink { received.append($0) }.cancel()
      let subscribing = numbers.whilePhase(.atLeast(.terminated), of: bus, line: 12)
      expect(
        "Upstream stays subscribed until the bus ends, \(Self.reason)observe willTerminate.",
        line: 12
      )
      subscribing.sink { received.append($0) }.cancel()
      expectNoDifference(received, [1, 2, 1, 2])
      let scope = LifecycleScope()
      bus.send(.didFinishLaunching)
      scope.end(when: .atLeast(.terminated), of: bus, line: 13)
      expect(
        "The scope ends whatever the phase, \(Self.reason)use end(at: .willTerminate, of:).",
        line: 13
      )
      #expect(scope.isEnded)
    }
  }

  @Test("Conditions that some phases meet are not reported")
  func otherConditionsAreNotReported() async throws {
    let conditions: [LifecyclePhase.Condition] = [
      .atLeast(.background), .atLeast(.inactive), .atLeast(.active), .atMost(.terminated),
      .atMost(.unknown), .atMost(.background), .atMost(.inactive), .background,
    ]
    try await withIssueReporters([issues]) {
      for condition in conditions {
        _ = [1, 2].publisher.gate(condition, of: bus, buffering: .drop)
        _ = [1, 2].publisher.whilePhase(condition, of: bus)
        LifecycleScope().end(when: condition, of: bus)
      }
      try await bus.waitUntil(.atMost(.unknown))
      let end = Task { try await bus.waitUntil(.atMost(.terminated)) }
      await mainQueueToDrain()
      bus.send(.willTerminate)
      try await end.value
      expectNoDifference(issues.take(), [])
    }
  }
}
