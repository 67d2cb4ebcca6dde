import CustomDump
import LifecycleFlightRecording
import ProgramReporting
import ReactiveLifecycle
import TestSupport
import Testing

@testable import lifecycle_monitor

@Suite("Explanation of a recording")
struct ExplanationTests {
  @Test("Text has a heading for each run, and the time of each finding")
  func text() throws {
    expectNoDifference(
      try explain(run("feed", [warning(2.5)]) + run("a\u{1B}[2J", []), .text),
      """
      Run 1 of 2: feed (process 7)
           2.5 s  Memory was low.
           2.5 s  The run has no end: the process was killed, or still ran when the recording was written.
      Run 2 of 2: a\\u{1B}[2J (process 7)
           0.0 s  The run has no end: the process was killed, or still ran when the recording was written.

      """
    )
  }

  private func explain(_ bytes: [UInt8], _ format: ReportFormat) throws -> String {
    let directory = TemporaryDirectory()
    directory.write(bytes, to: "life")
    var explanation = FilesExplanation(longStay: .seconds(1), format: format, isOfFolder: false)
    expectNoDifference(try explanation.read(directory.path("life")), "")
    return explanation.finish()
  }

  private func run(_ name: String, _ records: [FlightRecord]) -> [UInt8] {
    FlightRecording(
      process: .init(name: name, id: 7),
      start: .init(at: LifecycleInstant(everyClock: .zero)),
      records: records
    ).jsonLines
  }

  private func warning(_ seconds: Double) -> FlightRecord {
    let event = LifecycleEvent(
      kind: .didReceiveMemoryWarning,
      previousPhase: .active,
      phase: .active,
      sequenceNumber: 1,
      instant: LifecycleInstant(everyClock: .seconds(seconds)),
      origin: .manual
    )
    return FlightRecord(.event(event), at: LifecycleInstant(everyClock: .seconds(seconds)))
  }
}
