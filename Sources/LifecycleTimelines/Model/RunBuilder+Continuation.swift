import LifecycleFlightRecording
import ReactiveLifecycle

/// Several recordings of the same run.
extension RunBuilder {
  /// Returns whether a recording is a later part of the same run: records between the two were
  /// dropped, or are in a file that has been removed.
  func isContinued(by recording: FlightRecording) -> Bool {
    !isEnded && recording.start.dropped > 0 && recording.process.id == process.id
      && recording.process.bootID == process.bootID
      && recording.start.instant.continuous >= previous.continuous
  }

  /// Goes on with a later part of the same run. What lasts goes on; what became of the phase in
  /// between is not known.
  mutating func resume(with recording: FlightRecording, in lanes: inout TimelineBuilder) {
    let (last, next) = (now, recording.start)
    addSleep(until: next.instant, at: time(of: next.instant), in: &lanes)
    now = max(now, time(of: next.instant))
    dropped = max(dropped, next.dropped - count)
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
    for id in sources.keys.sorted()
    where !next.sources.contains(where: { $0.id == id }) {
      addConnection(id, until: last, in: &lanes)
      sources[id] = nil
    }
    begin(with: next.sources.filter { sources[$0.id] == nil }, in: &lanes)
  }
}
