import LifecycleJournaling
import ReactiveLifecycle

extension TextReport {
  /// Returns a sentence about the end of the previous run, or nil if there is nothing to report.
  static func description(of previousRun: LifecycleJournal.PreviousRun) -> String? {
    let ago = previousRun.timeAway.map { ", \(Sentence.span($0)) ago" } ?? ""
    return switch previousRun.exit {
    case .firstLaunch: nil
    case .endedProperly: "The last run ended properly\(ago)."
    case .killedDuringLaunch: "The last run was killed during its launch\(ago)."
    case .killedInBackground: "The last run was killed in the background\(ago)."
    case .killedInForeground: "The last run was killed in the foreground\(ago)."
    case .machineRestarted: "The last run ended with a restart of the machine\(ago)."
    case .updated: "The last run ended with an update\(ago)."
    case .unknown: "It is unknown how the last run ended."
    }
  }
}
