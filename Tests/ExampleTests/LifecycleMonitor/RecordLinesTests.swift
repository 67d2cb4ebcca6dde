import CustomDump
import LifecycleFlightRecording
import ReactiveLifecycle
import TestSupport
import Testing

@testable import lifecycle_monitor

@Suite("Lines of records")
struct RecordLinesTests {
  @Test("A source is named whether it connected before the start, later, or in a gap")
  func namesOfSources() {
    let start = FlightRecording.Start(
      at: LifecycleInstant(everyClock: .zero),
      sources: [FlightSource(id: 1, name: "first")]
    )
    var lines = RecordLines(start)
    let style = OutputStyle(columns: nil, usesColor: false)
    func line(_ content: FlightRecord.Content) -> String {
      lines.line(for: FlightRecord(content, at: start.instant), style)
    }
    _ = line(.connected(FlightSource(id: 2, name: "second")))
    lines.add([FlightSource(id: 3, name: "third")])
    expectNoDifference(
      (1...4).map { line(.disconnected(source: $0)) },
      ["first", "second", "third", "source 4"].map { "    +0.000 │ \($0) disconnected\n" }
    )
  }
}
