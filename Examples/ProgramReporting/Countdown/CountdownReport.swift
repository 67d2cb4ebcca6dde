package import LifecycleJournaling
import ReactiveLifecycle

/// How a program with a countdown tells what happens.
@MainActor
package protocol CountdownReport: LifecycleReport {
  /// How the last run ended; the first that is told, by a program that remembers.
  ///
  /// - Parameter isNew: Whether this run has begun a new countdown.
  func launch(after previousRun: LifecycleJournal.PreviousRun, isNew: Bool)
  func update(_ update: CountdownDisplay.Update)
}
