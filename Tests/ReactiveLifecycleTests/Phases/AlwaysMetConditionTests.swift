import CustomDump
import IssueReporting
import LifecycleBackgroundWork
import LifecycleCombine
import LifecycleTesting
import ReactiveLifecycle
import TestSupport
import Testing

/// Conditions that every phase meets are mistakes: most of all "wait for the end", written as
/// `waitUntil(.atLeast(.terminated))`.
@Suite("Conditions that are always met")
@MainActor
struct AlwaysMetConditionTests {
  private let issues = IssueRecorder()
  private let bus = LifecycleBus(clock: ManualClock())

  /// Why each of the conditions is always met, and what to do.
  private enum Reason {
    static let terminated =
      "because every phase is at least terminated. To act at the end of the process, "
    static let unknown =
      "because every phase before the end is at least unknown. Choose background, the phase of "
      + "a process that has launched, or a higher phase"
    static let active =
      "because every phase is at most active. Choose inactive or a lower phase"
  }

  private func expect(
    _ starts: String...,
    lines: Int...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let issues = issues.take()
    // A difference that CustomDump finds would be one of the issues.
    #expect(issues.map(\.line) == lines, sourceLocation: sourceLocation)
    for (issue, start) in zip(issues, starts) {
      #expect(issue.message.hasPrefix(start), "\(issue.message)", sourceLocation: sourceLocation)
      #expect(issue.message.hasSuffix("."), sourceLocation: sourceLocation)
    }
  }

  @Test("waitUntil returns at once, and says so at the caller's line")
  func waitUntilReturnsAtOnce() async throws {
    try await withIssueReporters([issues]) {
      try await bus.waitUntil(.atLeast(.terminated))
      expect(
        "waitUntil does not wait, \(Reason.terminated)use waitUntil(.atMost(.terminated))",
        lines: #line - 3
      )
      try await bus.waitUntil(.atLeast(.unknown))
      expect("waitUntil does not wait, \(Reason.unknown)", lines: #line - 1)
      try await bus.waitUntil(.atMost(.active))
      expect("waitUntil does not wait, \(Reason.active)", lines: #line - 1)
    }
    #expect(bus.liveSubscriptions.isEmpty)
  }

  @Test(
    "perform(when:) runs at once, and says so at the caller's line",
    arguments: BusKind.allCases
  )
  func performWhen(_ kind: BusKind) async throws {
    let bus = kind.makeWaiting()
    try await withIssueReporters([issues]) {
      for (phase, reason) in [
        (LifecyclePhase.terminated, "\(Reason.terminated)use perform(when: .atMost(.terminated))"),
        (.unknown, Reason.unknown),
      ] {
        let value = try await bus.once(.atLeast(phase), line: 17) { 1 }
        expectNoDifference(value, 1)
        expect("perform does not wait, \(reason)", lines: 17)
      }
      let value = try await bus.once(.atMost(.active)) { 1 }
      expectNoDifference(value, 1)
      expectNoDifference(issues.take().count, 1)
    }
  }

  @Test(
    "repeatWhile runs its body until the bus ends, and says so at the caller's line",
    arguments: BusKind.allCases
  )
  func repeatWhile(_ kind: BusKind) async {
    for (phase, reason) in [
      (LifecyclePhase.terminated, "\(Reason.terminated)use perform(when: .atMost(.terminated))"),
      (.unknown, Reason.unknown),
    ] {
      let bus = kind.makeWaiting()
      let trace = Trace()
      let task = withIssueReporters([issues]) {
        Task {
          try await bus.repeating(.atLeast(phase), line: 17) {
            trace("ran")
            defer { trace("cancelled") }
            try await Task.sleep(for: .seconds(3600))
          }
        }
      }
      await mainQueueToDrain()
      bus.send(.didBecomeActive)
      while trace.lines.isEmpty { await Task.yield() }
      bus.send(.willTerminate)
      _ = await task.result
      expectNoDifference(trace.lines, ["ran", "cancelled"])
      expect("repeatWhile runs its body until the bus ends, \(reason)", lines: 17)
    }
  }

  @Test("A body for the time after the end is cancelled at once", arguments: BusKind.allCases)
  func repeatAfterTheEnd(_ kind: BusKind) async throws {
    let bus = kind.makeWaiting()
    let task = withIssueReporters([issues]) {
      Task {
        try await bus.repeating(.atMost(.terminated), line: 17) {
          try await Task.sleep(for: .seconds(3600))
        }
      }
    }
    await mainQueueToDrain()
    bus.send(.willTerminate)
    try await task.value
    let reported = issues.take()
    expectNoDifference(
      reported.map(\.message),
      [
        """
        repeatWhile(.atMost(.terminated)) cancels its body at once, because the bus ends in that \
        phase. To act at the end of the process, use perform(when: .atMost(.terminated)), or \
        observe willTerminate.
        """
      ]
    )
    expectNoDifference(reported.map(\.line), [17])
  }

  @Test("A gate never closes, and is reported at the caller's line")
  func gateNeverClosesAndIsReported() {
    withIssueReporters([issues]) {
      let numbers = [1, 2].publisher
      _ = numbers.gate(.atLeast(.terminated), of: bus, buffering: .drop)
      _ = numbers.gate(.atLeast(.unknown), of: bus, buffering: .drop)
      let line = #line + 1
      let gate = numbers.gate(.atMost(.active), of: bus, buffering: .drop)
      expect(
        "The gate never closes, \(Reason.terminated)observe willTerminate",
        "The gate never closes, \(Reason.unknown)",
        "The gate never closes, \(Reason.active)",
        lines: line - 3,
        line - 2,
        line
      )
      var received: [Int] = []
      gate.sink { received.append($0) }.cancel()
      expectNoDifference(received, [1, 2])
      #expect(issues.take().isEmpty)
    }
  }

  @Test("A subscription lasts until the end of the bus, and is reported at the caller's line")
  func whilePhase() {
    withIssueReporters([issues]) {
      let numbers = [1, 2].publisher
      _ = numbers.whilePhase(.atLeast(.terminated), of: bus)
      _ = numbers.whilePhase(.atLeast(.unknown), of: bus)
      let line = #line + 1
      let subscribing = numbers.whilePhase(.atMost(.active), of: bus)
      expect(
        "Upstream stays subscribed until the bus ends, \(Reason.terminated)observe willTerminate",
        "Upstream stays subscribed until the bus ends, \(Reason.unknown)",
        "Upstream stays subscribed until the bus ends, \(Reason.active)",
        lines: line - 3,
        line - 2,
        line
      )
      var received: [Int] = []
      subscribing.sink { received.append($0) }.cancel()
      expectNoDifference(received, [1, 2])
    }
  }

  @Test("A scope ends whatever the phase, and is reported at the caller's line")
  func endOfScope() {
    withIssueReporters([issues]) {
      bus.send(.didBecomeActive)
      for (condition, reason) in [
        (
          LifecyclePhase.Condition.atLeast(.terminated),
          "\(Reason.terminated)use end(at: .willTerminate, of:)"
        ),
        (.atLeast(.unknown), Reason.unknown),
        (.atMost(.active), Reason.active),
      ] {
        let scope = LifecycleScope()
        scope.end(when: condition, of: bus)
        expect("The scope ends whatever the phase, \(reason)", lines: #line - 1)
        #expect(scope.isEnded)
      }
    }
  }

  @Test("A scheduler that may never fetch is reported at the caller's line")
  func fetchScheduler() {
    withIssueReporters([issues]) {
      for phase in LifecyclePhase.allCases {
        _ = BackgroundFetchScheduler(of: bus, atMost: phase)
        let line = #line - 1
        let mayFetch = phase >= .background
        expectNoDifference(issues.take().map(\.line), mayFetch ? [] : [line])
      }
    }
  }

  @Test("Other conditions are not reported")
  func otherConditionsAreNotReported() async throws {
    try await withIssueReporters([issues]) {
      let numbers = [1, 2].publisher
      for phase in [LifecyclePhase.background, .inactive, .active] {
        _ = numbers.gate(.atLeast(phase), of: bus, buffering: .drop)
        _ = numbers.whilePhase(.atLeast(phase), of: bus)
        LifecycleScope().end(when: .atLeast(phase), of: bus)
      }
      for phase in [LifecyclePhase.terminated, .unknown, .background, .inactive] {
        _ = numbers.gate(.atMost(phase), of: bus, buffering: .drop)
        _ = numbers.whilePhase(.atMost(phase), of: bus)
        LifecycleScope().end(when: .atMost(phase), of: bus)
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
