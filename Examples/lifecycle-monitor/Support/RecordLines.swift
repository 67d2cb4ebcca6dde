import LifecycleFlightRecording
import LifecycleTimelines
import ReactiveLifecycle

/// The lines of records, one after the other, with the names of the sources that they mention.
struct RecordLines {
  private let start: LifecycleInstant
  private var sources: [Int: LifecycleSourceName]

  init(_ start: FlightRecording.Start) {
    self.start = start.instant
    sources = Dictionary(start.sources.map { ($0.id, $0.name) }) { _, last in last }
  }

  mutating func line(for record: FlightRecord, _ style: OutputStyle) -> String {
    if case .connected(let source) = record.content { sources[source.id] = source.name }
    let line = LifecycleTimeline.line(
      for: record,
      since: start,
      sources: sources,
      columns: style.columns,
      usesColor: style.usesColor
    )
    return line + "\n"
  }
}
