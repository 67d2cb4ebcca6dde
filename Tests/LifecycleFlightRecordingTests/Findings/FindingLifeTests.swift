import CustomDump
import LifecycleFlightRecording
import ReactiveLifecycle
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
    let reporters = 3
    let letters = Self.kinds.count * reporters
    var lives = 0
    for length in 0...3 {
      for number in 0..<power(letters, length) {
        var rest = number
        let reports = (0..<length).map { _ -> (LifecycleEvent.Kind, Int) in
          defer { rest /= letters }
          return (Self.kinds[rest % letters / reporters], rest % reporters)
        }
        expectFindings(in: record(reports), of: reports)
        lives += 1
      }
    }
    expectNoDifference(lives, 1 + letters + letters * letters + letters * letters * letters)
  }

  @Test("Observers that remain are found after the release of the bus, too")
  func remainingObservers() {
    var bus: NonisolatedLifecycleBus? = NonisolatedLifecycleBus()
    let recorder = FlightRecorder(of: bus!)
    let tokens = (0..<3).map { _ in bus!.addObserver { _ in } }
    bus = nil
    #expect(recorder.recording.records.contains { $0.content == .ended })
    let counts = recorder.recording.findings().compactMap { finding in
      if case .remainingObservers = finding.content { finding.count } else { nil }
    }
    expectNoDifference(counts, [3])
    withExtendedLifetime(tokens) {}
  }

  private func record(_ reports: [(LifecycleEvent.Kind, Int)]) -> FlightRecording {
    let bus = NonisolatedLifecycleBus()
    let recorder = FlightRecorder(of: bus)
    let sources = [FeedSource("app"), FeedSource("focus")]
    let connections = [
      try? bus.connect(sources[0], as: .presence), try? bus.connect(sources[1], as: .ceiling),
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

  private func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }
}
