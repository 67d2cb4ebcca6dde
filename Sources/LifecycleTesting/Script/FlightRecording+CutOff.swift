import LifecycleFlightRecording
import ReactiveLifecycle

extension FlightRecording {
  /// A Boolean value that indicates whether the events of the last cause, which are records of
  /// their own, may be missing, because the recording was read or written in between.
  var isCutOff: Bool {
    let effects = records.reversed().prefix { if case .event = $0.content { true } else { false } }
    guard let cause = records.dropLast(effects.count).last else { return false }
    switch cause.content {
    case .input(let input):
      // The input's own event is its last one.
      guard case .event(let last)? = effects.first?.content else { return input.suppressed == nil }
      return last.kind != input.kind
    case .disconnected: return true
    default: return false
    }
  }
}
