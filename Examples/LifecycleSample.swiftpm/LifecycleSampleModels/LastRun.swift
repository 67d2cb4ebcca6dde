import LifecycleJournaling

extension LifecycleJournal.PreviousRun {
  /// A line of a screen that tells how the last run ended.
  var summary: String {
    guard exit != .firstLaunch, let timeAway else { return "The last run: \(exit)" }
    return "The last run: \(exit), \(timeAway.components.seconds) s ago"
  }
}
