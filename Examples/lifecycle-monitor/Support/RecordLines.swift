import LifecycleFlightRecording
import LifecycleTimelines
import ReactiveLifecycle

/// The lines of records, one after the other, with the names of the sources that they mention.
struct RecordLines {
  private let start: LifecycleInstant
  private var sources: [Int: LifecycleSourceName] = [:]

  init(_ start: FlightRecording.Start) {
    self.start = start.instant
    add(start.sources)
  }

  /// Takes note of the names of sources whose connection was missed.
  mutating func add(_ sources: [FlightSource]) {
    for source in sources { self.sources[source.id] = source.name }
  }

  mutating func line(for record: FlightRecord, _ style: OutputStyle) -> String {
    if case .connected(let source) = record.content { add([source]) }
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
