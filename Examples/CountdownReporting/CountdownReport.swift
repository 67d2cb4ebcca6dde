import ReactiveLifecycle

/// How a program with a countdown tells what happens.
@MainActor
package protocol CountdownReport: AnyObject {
  /// How the last run ended; the first that is told, by a program that remembers.
  ///
  /// - Parameter isNew: Whether this run has begun a new countdown.
  func launch(after previousRun: LifecycleJournal.PreviousRun, isNew: Bool)
  func event(_ event: LifecycleEvent)
  func suppressed(_ input: SuppressedInput)
  func update(_ update: CountdownDisplay.Update)
}

/// Which report it is.
package enum ReportFormat: String, CaseIterable, Sendable {
  case text, json
}
