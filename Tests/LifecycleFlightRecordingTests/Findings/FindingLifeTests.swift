import LifecycleCore
import LifecycleFlightRecording
import TestSupport
import Testing

/// Findings in the recordings of real buses: every sequence of reports up to a length.
@Suite("Findings in all lives")
struct FindingLifeTests {
  private static let kinds: [LifecycleEvent.Kind] = [
    .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground, .willTerminate,
  ]

  @Test("Every suppressed report is in exactly one finding, and a missing end is one")
  func everySuppressedReportIsFound() {
    let reports = Self.kinds.flatMap { kind in (0...2).map { reporter in (kind, reporter) } }
    var lives: [[(LifecycleEvent.Kind, Int)]] = [[]]
    for _ in 0...3 {
      for life in lives { expectFindings(in: record(life), of: life) }
      lives = lives.flatMap { life in reports.map { life + [$0] } }
    }
  }

  private func record(_ reports: [(LifecycleEvent.Kind, Int)]) -> FlightRecording {
    let bus = NonisolatedLifecycleBus()
    let recorder = FlightRecorder(of: bus)
    let sources = [TestSource("app"), TestSource("focus")]
    let connections = [
      try? bus.connect(sources[0], as: .participant(.application)),
      try? bus.connect(sources[1], as: .ceiling),
    ]
    for (kind, reporter) in reports {
      if reporter == 2 { bus.send(kind) } else { sources[reporter].feed.send(kind) }
    }
    return withExtendedLifetime(connections) { recorder.recording }
  }

  private func expectFindings(
    in recording: FlightRecording,
    of reports: [(LifecycleEvent.Kind, Int)]
  ) {
    let findings = recording.findings()
    let suppressed = recording.records.count { record in
      if case .input(let input) = record.content { input.suppressed != nil } else { false }
    }
    let counted = findings.reduce(0) { sum, finding in
      switch finding.content {
      case .duplicate, .mismatch, .masked, .late: sum + finding.count
      default: sum
      }
    }
    let hasTerminated = recording.records.contains { record in
      if case .event(let event) = record.content { event.kind == .willTerminate } else { false }
    }
    let isMissing = findings.contains { $0.content == .noTermination }
    #expect(
      counted == suppressed && isMissing == !hasTerminated && findings.count <= reports.count + 1,
      "\(reports): \(findings)"
    )
  }
}
