/// Signals by which another party is to end the process, and requests to reload, which no bus had
/// accepted when they were handled.
///
/// Their former handlers receive them when the engine is closed.
struct UnacceptedSignals {
  /// Each with the announcement that a bus may have accepted since.
  private var entries: [(signal: JobControlSignal, announcement: SignalAnnouncement?)] = []

  /// The signals that no bus has accepted, for their former handlers.
  ///
  /// A request to reload is meant for a handler: by default, the signal would end the process.
  ///
  /// - Parameter isDefault: Returns true if a signal's former disposition is the default action.
  func signals(isDefault: (JobControlSignal) -> Bool) -> Set<JobControlSignal> {
    let unaccepted = entries.filter { $0.announcement?.isAccepted != true }
    let resent = unaccepted.filter { $0.announcement?.kind != .reload || !isDefault($0.signal) }
    return Set(resent.map(\.signal))
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
      // A later request stands for the earlier ones.
      entries.removeAll { $0.signal == signal && $0.announcement?.kind == .reload }
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
