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
      Add "\(identifier)" to BGTaskSchedulerPermittedIdentifiers and "\(mode)" to \
      UIBackgroundModes in Info.plist. If they are already there, the user has denied background \
      launches.
      """
    case .tooManyPending:
      """
      At most one refresh request and ten processing requests can be pending. Use one host for all \
      refreshes, and cancel requests that are not needed.
      """
    case .unavailable:
      """
      Background tasks are not available to this process: it runs in a simulator or is an app \
      extension, or Background App Refresh is turned off in Settings.
      """
    case .other: "To try again, set the minimum interval again."
    }
  }
}
