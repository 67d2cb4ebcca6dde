import LifecycleFlightRecording
import ReactiveLifecycle

extension FlightRecording {
  /// Returns whether a bus has the state at the start of a later part of the run after these
  /// records, which may be fewer than there were.
  ///
  /// - Parameter parts: The later part, and the recordings after it.
  func leads(to parts: ArraySlice<FlightRecording>) -> Bool {
    guard let start = parts.first?.start else { return true }
    let end = stateAtEnd
    return start.phase == end.phase && start.program == end.program
      && start.sources.sorted { $0.id < $1.id } == end.sources.sorted { $0.id < $1.id }
      && (start.phase != .background || isStayEnded(by: Self.firstReturn(in: parts)))
  }

  /// The state of the bus after the last record.
  var stateAtEnd: Start {
    var state = start
    for record in records { state.advance(past: record) }
    return state
  }

  /// Returns whether a return to the foreground ends the stay in the background of the last record.
  private func isStayEnded(by event: LifecycleEvent?) -> Bool {
    // A stay from before the start begins where the replayed return needs it.
    guard let event, let last = records.lazy.reversed().compactMap(\.transition).first else {
      return true
    }
    let stay =
      last.kind == .didEnterBackground
      ? BackgroundStay(from: last.instant, to: event.instant) : nil
    return event.backgroundStay == stay
  }

  /// Returns the first return to the foreground in a part of a run, or in those that continue it
  /// without a gap.
  private static func firstReturn(in parts: ArraySlice<FlightRecording>) -> LifecycleEvent? {
    for (index, part) in zip(parts.indices, parts) {
      guard index == parts.startIndex || part.missingRecords(after: parts[index - 1]) == 0 else {
        return nil
      }
      let transitions = part.records.lazy.compactMap(\.transition)
      if let event = transitions.first(where: { $0.kind == .willEnterForeground }) { return event }
    }
    return nil
  }
}

extension FlightRecord {
  /// The event, if it is a transition.
  fileprivate var transition: LifecycleEvent? {
    guard case .event(let event) = content, event.kind.isTransition else { return nil }
    return event
  }
}
