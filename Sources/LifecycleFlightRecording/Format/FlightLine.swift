import ReactiveLifecycle

/// One line of a file: the head of a run, or a record.
enum FlightLine: Sendable, Hashable {
  case head(FlightRecording.Process, FlightRecording.Start)
  /// A record, and its number: that of the first record ever recorded is 0.
  case record(FlightRecord, number: Int)

  /// The name of a record's content.
  enum RecordName: String, CaseIterable {
    case connected, disconnected, input, event, observerAdded, observerRemoved, activity, note
    case ended
  }

  /// The name of a change of an activity.
  enum ChangeName: String, CaseIterable {
    case began, paused, resumed, ended
  }
}
