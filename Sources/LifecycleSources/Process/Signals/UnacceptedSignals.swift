/// Signals by which another party is to end the process, and requests to reload, which no bus had
/// accepted when they were handled.
///
/// Their former handlers receive them when the engine is closed.
struct UnacceptedSignals {
  /// Each with the announcement that a bus may have accepted since.
  private var entries: [(signal: JobControlSignal, announcement: SignalAnnouncement?)] = []

  /// The signals that no bus has accepted.
  var signals: Set<JobControlSignal> {
    Set(entries.filter { $0.announcement?.isAccepted != true }.map(\.signal))
  }

  /// Keeps a signal that is meant for another party if no bus has accepted it.
  ///
  /// Buses that have accepted one signal do not receive the next.
  ///
  /// - Parameters:
  ///   - signal: A signal that was handled.
  ///   - begun: The announcement that it has led to; nil if there is none.
  ///   - state: The state of the engine after that.
  mutating func check(
    _ signal: JobControlSignal,
    _ begun: SignalAnnouncement?,
    _ state: borrowing ProcessSignalEngine.State
  ) {
    if let begun, begun.kind == .reload {
      if !begun.isAccepted { entries.append((signal, begun)) }
      return
    }
    guard state.machine.termination == .observe, state.machine.question == nil else { return }
    if state.end?.isAccepted != true {
      entries.append((signal, state.end))
    } else if begun == nil, state.connections.isEmpty {
      entries.append((signal, nil))
    }
  }
}
