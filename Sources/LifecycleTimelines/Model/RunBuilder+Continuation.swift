import LifecycleFlightRecording
import ReactiveLifecycle

/// Several recordings of the same run.
extension RunBuilder {
  /// Goes on with a later part of the same run. What lasts goes on; what became of the phase in
  /// between is not known.
  mutating func resume(with recording: FlightRecording, in lanes: inout TimelineBuilder) {
    let (last, next) = (now, recording.start)
    addSleep(until: next.instant, at: time(of: next.instant), in: &lanes)
    now = max(now, time(of: next.instant))
    dropped = max(dropped, next.dropped - count - damaged)
    if next.phase != phase || now > last {
      addPhase(until: last, in: &lanes)
      phaseStart = now
    }
    if next.phase != .background {
      endStay(at: last, outcome: " or longer", in: &lanes)
    } else if awaySince == nil {
      awaySince = now
    }
    phase = next.phase
    let remaining = Set(next.sources.map(\.id))
    for id in sources.keys.sorted() where !remaining.contains(id) {
      addConnection(id, until: last, in: &lanes)
      sources[id] = nil
    }
    begin(with: next.sources.filter { sources[$0.id] == nil }, in: &lanes)
  }
}
