package import ProgramReporting
import ReactiveLifecycle

/// How the program tells what happens.
@MainActor
package protocol LocationReport: LifecycleReport {
  /// The receiver has seen a position.
  func position(_ fix: Track.Fix)
  /// The receiver is off for a while.
  func rest(requested: Duration, granted: Duration)
  /// Arrival at the place.
  func reminder(_ position: Position, distance: Double)
  /// The track is at its end.
  func summary(_ summary: LocationSummary)
}

/// What became of a track.
package struct LocationSummary: Hashable, Sendable {
  /// How many the receiver has seen.
  package var positions: Int
  package var skippedSentences: Int
  package var receiverOn: Duration

  package init(positions: Int, skippedSentences: Int, receiverOn: Duration) {
    self.positions = positions
    self.skippedSentences = skippedSentences
    self.receiverOn = receiverOn
  }
}
