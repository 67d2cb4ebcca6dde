import ReactiveLifecycle
import TestSupport

extension LifecycleEvent {
  /// All of the event that the bus decides.
  var fullLine: String {
    let stay = backgroundStay.map { ", away for \($0.duration.components.seconds)" } ?? ""
    return "\(line) @\(instant.continuous.timeSinceBoot.components.seconds)\(stay)"
  }
}

extension ObserverSpec.Form {
  func text(_ stay: BackgroundStay) -> String { "away for \(stay.duration.components.seconds)" }
}
