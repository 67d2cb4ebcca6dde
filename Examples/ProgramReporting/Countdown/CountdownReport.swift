package import LifecycleJournaling
import ReactiveLifecycle

/// The report of a program with a countdown.
@MainActor
package protocol CountdownReport: LifecycleReport {
  /// Reports how the last run ended. A program that stores its state calls this method first.
  ///
  /// - Parameter isNew: Whether this run has begun a new countdown.
  func launch(after previousRun: LifecycleJournal.PreviousRun, isNew: Bool)
  func update(_ update: CountdownDisplay.Update)
}
