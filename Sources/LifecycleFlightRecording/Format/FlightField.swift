/// The fields of the lines of a file.
///
/// The article <doc:RecordingFormat> lists which line has which.
enum FlightField: String, CodingKey, CaseIterable {
  // The head of a run
  case format, version, process, pid, boot, program, dropped, sources
  // Every record
  case record, number
  // The head and every record
  case continuous, suspending, wall
  // The input that caused an event, where it is older than the record
  case inputContinuous, inputSuspending, inputWall
  // A source
  case source, name, role, participant, whole, phase
  // An input or an event
  case kind, metadata, suppressed
  case sequenceNumber, previousPhase, origin, away, asleep, clockShift
  // An observer
  case observer, scope, file, line
  // A countdown, a background task, or a fetch
  case activity, id, change, outcome
  // A note
  case text
}
