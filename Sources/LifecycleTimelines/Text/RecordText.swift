package import LifecycleCore
import LifecycleFlightRecording

/// Descriptions of records.
package enum RecordText {
  /// Returns a description of a record.
  ///
  /// - Parameters:
  ///   - content: What happened.
  ///   - name: Returns the name of the source with a number.
  package static func detail(
    of content: FlightRecord.Content,
    name: (Int) -> String
  ) -> String {
    switch content {
    case .connected(let source):
      "\(source.name) connected as \(source.role), \(source.phase)"
    case .disconnected(let source): "\(name(source)) disconnected"
    case .input(let input): detail(of: input, name: name(input.source))
    case .event(let event): detail(of: event)
    case .observerAdded(let observer, let location): "observer \(observer) added: \(location)"
    case .observerRemoved(let observer): "observer \(observer) removed"
    case .overrun(let kind, let location):
      "the deadline of \(kind) passed\(location.fileID == nil ? "" : " in \(location)")"
    case .activity(let activity):
      "\(activity.kind.title(activity.name)) \(verb(of: activity.change))"
    case .note(let text): "note: \(text)"
    case .ended: "the bus ended"
    }
  }

  private static func detail(of input: FlightInput, name: String) -> String {
    let reason = input.suppressed.map { ", suppressed: \($0)" } ?? ""
    return "input \(input.kind) from \(name)\(reason)\(text(of: input.metadata))"
  }

  private static func detail(of event: LifecycleEvent) -> String {
    let change =
      event.previousPhase == event.phase
      ? "\(event.phase)" : "\(event.previousPhase) → \(event.phase)"
    let stay = event.backgroundStay.map { ", \($0)" } ?? ""
    let origin =
      switch event.origin {
      case .source(let name): ", from \(name)"
      case .manual: ""
      case .synthesized: ", filled in"
      case .catchUp: ", catch-up"
      }
    return "\(event.kind) (\(change)\(stay)\(origin))\(text(of: event.metadata))"
  }

  private static func text(of metadata: [String: String]) -> String {
    metadata.sorted { $0.key < $1.key }.map { " · \($0.key): \($0.value)" }.joined()
  }

  private static func verb(of change: FlightActivity.Change) -> String {
    switch change {
    case .began: "began"
    case .paused: "paused"
    case .resumed: "resumed"
    case .ended(let outcome): "ended: \(outcome)"
    }
  }
}

extension LifecycleEvent.Kind {
  /// A few words for a notice.
  var shortName: String {
    switch self {
    case .didReceiveMemoryWarning: "memory warning"
    case .significantTimeChange: "time change"
    case .protectedDataWillBecomeUnavailable: "locked"
    case .protectedDataDidBecomeAvailable: "unlocked"
    case .backgroundFetchDidComplete: "fetch complete"
    case .systemWillPowerOff: "power off"
    case .reloadRequest: "reload"
    case .processWasPaused: "paused"
    default: rawValue
    }
  }
}
