package import ProgramReporting
import ReactiveLifecycle

/// The form in which the program reports its activity.
@MainActor
package protocol LocationReport: LifecycleReport {
  /// Reports that the receiver has seen a position.
  func position(_ fix: Track.Fix)
  /// Reports that the receiver is off for a while.
  func rest(requested: Duration, granted: Duration)
  /// Reports the arrival at the place.
  func reminder(_ position: Position, distance: Double)
  /// Reports that the track has ended.
  func summary(_ summary: LocationSummary)
}

/// The outcome of a track.
package struct LocationSummary: Hashable, Sendable {
  /// The number of positions that the receiver has seen.
  package var positions: Int
  package var skippedSentences: Int
  package var receiverOn: Duration

  package init(positions: Int, skippedSentences: Int, receiverOn: Duration) {
    self.positions = positions
    self.skippedSentences = skippedSentences
    self.receiverOn = receiverOn
  }
}
