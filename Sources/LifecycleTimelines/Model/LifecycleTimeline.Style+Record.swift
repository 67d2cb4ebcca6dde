import LifecycleFlightRecording
import ReactiveLifecycle

extension LifecycleTimeline.Style {
  /// The form of the mark that stands for a record.
  init(of content: FlightRecord.Content) {
    self =
      switch content {
      case .input(let input): input.suppressed == nil ? .input : .suppressed
      case .event(let event) where !event.kind.isTransition: .notice
      case .event(let event): event.phase > event.previousPhase ? .upward : .downward
      case .note: .note
      case .ended: .ended
      default: .change
      }
  }

  /// The form of the span of a phase; nil for the end, which has none.
  init?(_ phase: LifecyclePhase) {
    switch phase {
    case .terminated: return nil
    case .unknown: self = .unknown
    case .background: self = .background
    case .inactive: self = .inactive
    case .active: self = .active
    }
  }
}
