import LifecycleCore
import LifecycleFlightRecording
import TestSupport

extension FlightRecord {
  /// The record as these tests show it, without its instant.
  var line: String {
    switch content {
    case .connected(let source): "connected \(source.line)"
    case .disconnected(let source): "disconnected \(source)"
    case .input(let input):
      "input \(input.kind) from \(input.source)"
        + (input.suppressed.map { ", \($0)" } ?? "")
        + (input.metadata.isEmpty ? "" : " \(input.metadata.sorted { $0.key < $1.key })")
    case .event(let event): "event \(event.line)"
    case .observerAdded(let observer, _): "observer \(observer) added"
    case .observerRemoved(let observer): "observer \(observer) removed"
    case .overrun(let kind, let location): "overrun of \(kind) in \(location)"
    case .activity(let activity):
      "\(activity.kind) \(activity.id) \"\(activity.name)\" \(activity.change)"
    case .note(let text): "note \(text)"
    case .ended: "ended"
    }
  }

  var event: LifecycleEvent? {
    if case .event(let event) = content { event } else { nil }
  }

  var input: FlightInput? {
    if case .input(let input) = content { input } else { nil }
  }
}

extension FlightSource {
  var line: String {
    "\(id) \(name) as \(role == .participant(.application) ? "application" : "\(role)")"
      + (whole.map { ", part of \($0)" } ?? "") + ", \(phase)"
  }
}

extension FlightRecording {
  var lines: [String] { records.map(\.line) }
}

extension FlightRecording.Start {
  var lines: [String] {
    ["\(phase), program \(program), \(dropped) dropped"] + sources.map(\.line)
  }
}
