import LifecycleFlightRecording

extension ScriptReplay {
  /// Records that are missing between two recordings of one run, or in the first, and that changed
  /// the state of the bus.
  struct Gap: Equatable {
    let process: FlightRecording.Process
    /// The position of the recording after the gap, from 0.
    let index: Int
    let count: Int
  }
}

extension ScriptReplay.Gap: CustomStringConvertible {
  var description: String {
    """
    The replay ends before recordings[\(index)]. It continues the run of \(process.name) (process \
    \(process.id)), but \(count == 1 ? "1 record" : "\(count) records") before it \
    \(count == 1 ? "is" : "are") missing, so that the process can't be brought to the state after \
    them. Replay what follows separately: its process starts in that state.
    """
  }
}
