/// The reason that `BGTaskScheduler` refused a request, and the remedy.
enum FetchSubmissionAdvice: CaseIterable {
  case notPermitted
  case tooManyPending
  case unavailable
  case other

  func text(identifier: String, mode: String) -> String {
    switch self {
    case .notPermitted:
      """
      Add "\(identifier)" to BGTaskSchedulerPermittedIdentifiers, and "\(mode)" to UIBackgroundModes, \
      in Info.plist. If they are there, the user has denied background launches to the application.
      """
    case .tooManyPending:
      """
      At most one refresh and ten processing requests may be pending. Use one host for all refreshes, \
      and cancel requests that are not needed.
      """
    case .unavailable:
      """
      The system has no background tasks for this process: it runs in a simulator or is an app \
      extension, or background refresh is switched off in Settings.
      """
    case .other: "The minimum interval must be set again for another attempt."
    }
  }
}
