import LifecycleFlightRecording
import ReactiveLifecycle

extension FlightRecording {
  /// A Boolean value that indicates whether events of the last cause, which are records of their
  /// own, are missing, because the recording was read or written in between.
  var isCutOff: Bool {
    var causes = records[...]
    var effects: [LifecycleEvent] = []
    while case .event(let event)? = causes.last?.content {
      effects.append(event)
      causes.removeLast()
    }
    switch causes.last?.content {
    case .input(let input) where input.suppressed == nil:
      guard let first = effects.last else { return true }
      guard input.kind.isTransition else { return first.kind != input.kind }
      let end = stateAtEnd
      return !end.isSettled
        || first.previousPhase == .unknown && end.isReachedFromAbove(by: input)
          && !effects.contains { $0.kind == input.kind }
    case .disconnected: return !stateAtEnd.isSettled
    default: return false
    }
  }
}

extension FlightRecording.Start {
  /// A Boolean value that indicates whether the phase is the one that follows from the reports of
  /// the program and the sources.
  fileprivate var isSettled: Bool {
    let application =
      program == .unknown
      ? sources.first { $0.role == .participant(.application) }?.phase ?? .unknown : program
    var reports = ReportedPhases(application: application)
    for source in sources { reports.add(source.phase, as: source.role) }
    return phase == .terminated || reports.phase.map { $0 == phase } ?? true
  }

  /// Returns whether a new bus first goes up to the phase that an input leaves.
  fileprivate func isReachedFromAbove(by input: FlightInput) -> Bool {
    let isCeiling = sources.contains { $0.id == input.source && $0.role == .ceiling }
    return !isCeiling && [.willResignActive, .didEnterBackground].contains(input.kind)
  }
}
