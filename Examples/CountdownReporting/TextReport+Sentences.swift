import ReactiveLifecycle

extension TextReport {
  /// `4:59`, or `1:04:59` from an hour on.
  static func time(_ seconds: Int) -> String {
    let (minutes, seconds) = seconds.quotientAndRemainder(dividingBy: 60)
    guard minutes >= 60 else { return "\(minutes):\(twoDigits(seconds))" }
    return "\(minutes / 60):\(twoDigits(minutes % 60)):\(twoDigits(seconds))"
  }

  static func description(of stay: BackgroundStay) -> String {
    let asleep = stay.asleep < .seconds(1) ? "" : ", \(span(stay.asleep)) of it asleep"
    return "Away for \(span(stay.duration))\(asleep)."
  }

  /// Nil when there is nothing to tell.
  static func description(of previousRun: LifecycleJournal.PreviousRun) -> String? {
    let ago = previousRun.away.map { ", \(span($0)) ago" } ?? ""
    return switch previousRun.exit {
    case .firstLaunch: nil
    case .endedProperly: "The last run ended properly\(ago)."
    case .killedInBackground: "The last run was killed in the background\(ago)."
    case .killedInForeground: "The last run was killed in the foreground\(ago)."
    case .machineRestarted: "The last run ended with a restart of the machine\(ago)."
    case .unknown: "How the last run ended is not known."
    }
  }

  /// `3.0 s`, or `1:30` from a minute on.
  private static func span(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return tenths < 600 ? "\(Double(tenths) / 10) s" : time((tenths + 5) / 10)
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
